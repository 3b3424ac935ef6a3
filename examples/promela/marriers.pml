/* Stable marriages, found by proposals.
 *
 *   D. G. McVitie, L. B. Wilson: The stable marriage problem, Communications of the ACM 14(7),
 *   1971.
 *
 * N suitors propose, each in the order of his own list; N ladies keep the best suitor so far and
 * send the others away.  Everybody is a process, and everybody asks and answers by messages.
 * Lists: suitor s puts ladies in the order s/2, s/2 + 1, ... (round the end), so that there are
 * rivals; lady l likes suitor s the better the smaller (s + l) mod N is.
 *
 * Holds: once all ladies are engaged nobody can do better together (an assertion over all
 * pairs), and there is no invalid end state.
 * -DN=4     the number of suitors, and of ladies (3)
 * -DUNCHECKED  nobody looks whether marriages are stable
 * -DFAULT   a suitor who is accepted listens no more, and never hears that he is sent away:
 *           an invalid end state, for some lady waits for ever
 */

#ifndef N
#define N 3
#endif

#define NOBODY N
#define CHOICE(s, k) (((s) / 2 + (k)) % N)
#define WISH(s, l) (((l) + N - (s) / 2) % N)
#define DISLIKE(l, s) (((s) + (l)) % N)

mtype = { yes, no };

chan proposal[N] = [1] of { byte };
chan answer[N] = [1] of { mtype };

byte partner[N] = NOBODY;   /* of each lady */
byte engaged;

proctype suitor(byte me)
{
  byte choice;

propose:
  proposal[CHOICE(me, choice)]!me;
  if
  :: answer[me]?no ->
    choice++;
    assert(choice < N);
    goto propose
  :: answer[me]?yes
  fi;
#ifndef FAULT
end_engaged:
  answer[me]?no;
  choice++;
  assert(choice < N);
  goto propose
#endif
}

proctype lady(byte me)
{
  byte who, left;

  proposal[me]?who;
  atomic {
    partner[me] = who;
    engaged++
  };
  answer[who]!yes;
end_engaged:
  do
  :: proposal[me]?who ->
    if
    :: DISLIKE(me, who) < DISLIKE(me, partner[me]) ->
      atomic {
        left = partner[me];
        partner[me] = who
      };
      answer[left]!no;
      left = 0;
      answer[who]!yes
    :: else ->
      answer[who]!no
    fi;
    who = 0
  od
}

/* Nobody can do better: no suitor and lady prefer each other to whom they have. */
inline stable()
{
  for (s : 0 .. N - 1) {
    for (l : 0 .. N - 1) {
      for (other : 0 .. N - 1) {
        if
        :: partner[other] == s && WISH(s, l) < WISH(s, other) ->
          assert(DISLIKE(l, partner[l]) < DISLIKE(l, s))
        :: else
        fi
      }
    }
  }
}

init {
  byte s, l, other;

  atomic {
    for (s : 0 .. N - 1) {
      run suitor(s);
      run lady(s)
    }
    s = 0
  };
#ifndef UNCHECKED
end_checked:
  d_step {
    engaged == N;
    stable();
    s = 0;
    l = 0;
    other = 0
  }
#endif
}
