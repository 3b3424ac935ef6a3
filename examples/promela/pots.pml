/* A plain old telephone system, as a preliminary design: users, and a line with its handler for
 * each of them.
 *
 *   M. Kamel, S. Leue: VIP: a visual editor and compiler for v-Promela, TACAS 2000, has a design
 *   of this kind; this one is a small one of our own.
 *
 * A user lifts the receiver, dials one of the others and talks if that one answers; anybody may
 * hang up at any time.  Users and their lines meet; lines send messages to each other.
 *
 * Violated: two who call each other at the same time wait for an answer for ever (invalid end
 * state), for a line that waits for an answer gives none.
 * -DN=3     the number of users (2); three have many millions of states
 * -DMENDED  a line that is in use says so at once: there is no deadlock
 */

#ifndef N
#define N 2
#endif

mtype:sound = { dial_tone, ring, ring_back, busy_tone, silence };
mtype:hook = { off, on };
mtype:message = { call, free, busy, answered, hangup };

chan hook[N] = [0] of { mtype:hook };
chan digit[N] = [0] of { byte };
chan tone[N] = [0] of { mtype:sound };
chan net[N] = [2 * N] of { mtype:message, byte };

proctype user(byte me)
{
  mtype:sound heard;
  byte number;

on_hook:
  if
  :: hook[me]!off
  :: tone[me]?heard -> heard = 0; goto on_hook
  fi;

off_hook:
  if
  :: hook[me]!on -> goto on_hook
  :: tone[me]?heard ->
    if
    :: heard == dial_tone ->
      atomic {
        select (number : 0 .. N - 2);
        number = (me + 1 + number) % N
      };
      if
      :: digit[me]!number
      :: hook[me]!on -> number = 0; heard = 0; goto on_hook
      fi;
      number = 0
    :: else
    fi;
    heard = 0;
    goto off_hook
  fi
}

/* What comes late from a line that was called, or has called, before. */
inline others(message)
{
  atomic {
    net[me]?[message, who] && !net[me]?[message, eval(peer)];
    net[me]?message, _
  }
}

/* What a line that is in use does with a call. */
inline decline()
{
  net[me]?call, who;
  net[who]!busy, me;
  who = 0
}

proctype line(byte me)
{
  byte peer, who;

idle:
  peer = 0;
  if
  :: hook[me]?off -> goto dialling
  :: net[me]?call, peer -> net[peer]!free, me; goto ringing
  :: net[me]?answered, _ -> goto idle      /* by one that was called before */
  :: net[me]?hangup, _ -> goto idle
  fi;

dialling:
  if
  :: tone[me]!dial_tone
  :: hook[me]?on -> goto idle
  fi;
  do
  :: hook[me]?on -> goto idle
  :: digit[me]?peer -> break
#ifdef MENDED
  :: decline()
  :: net[me]?answered, _
  :: net[me]?hangup, _
#endif
  od;

  assert(peer != me);
  net[peer]!call, me;
  do
  :: net[me]?free, eval(peer) -> break
  :: net[me]?busy, eval(peer) -> goto failed
  :: net[me]?answered, _
  :: net[me]?hangup, _
#ifdef MENDED
  :: decline()
#endif
  od;

  do
  :: tone[me]!ring_back
  :: net[me]?answered, eval(peer) -> goto talking
  :: others(answered)
  :: others(hangup)
  :: hook[me]?on -> net[peer]!hangup, me; goto idle
#ifdef MENDED
  :: decline()
#endif
  od;

ringing:
  do
  :: tone[me]!ring
  :: hook[me]?off -> net[peer]!answered, me; break
  :: net[me]?hangup, eval(peer) -> goto idle
  :: others(answered)
  :: others(hangup)
#ifdef MENDED
  :: decline()
#endif
  od;

talking:
  do
  :: hook[me]?on -> net[peer]!hangup, me; goto idle
  :: net[me]?hangup, eval(peer) -> goto failed
  :: others(answered)
  :: others(hangup)
#ifdef MENDED
  :: decline()
#endif
  od;

failed:
  if
  :: tone[me]!busy_tone
  :: hook[me]?on -> goto idle
  fi;
  do
  :: hook[me]?on -> goto idle
#ifdef MENDED
  :: decline()
  :: net[me]?answered, _
  :: net[me]?hangup, _
#endif
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run user(i);
      run line(i)
    }
  }
}
