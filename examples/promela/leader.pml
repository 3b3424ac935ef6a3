/* Election of a leader in a ring in which messages go one way, with O(N log N) messages.
 *
 *   D. Dolev, M. Klawe, M. Rodeh: An O(n log n) unidirectional distributed algorithm for
 *   extrema finding in a circle, Journal of Algorithms 3(3), 1982.
 *
 * Every node starts active, with a number of its own.  An active node sends the number it stands
 * for to its successor, and passes on the number that it hears; so each learns what its two
 * predecessors stand for.  If the nearer of these is greater than both others, the node stands
 * for that one in the next round; if not, it only relays from then on.  A node that hears what
 * it stands for itself has found the greatest number.
 *
 * Holds: the number found is N, and it is announced once; there is no deadlock, and everybody
 * knows the leader in the end.
 * -DN=4     the number of nodes (3)
 * -DFAULT   two nodes have the greatest number: both may be elected, and an assertion is violated;
 *           if there are three nodes, these two wait for ever (invalid end state)
 */

#ifndef N
#define N 3
#endif

/* Small and great numbers take turns, so that many nodes survive a round. */
#define NUMBER(place) ((place) % 2 -> N - (place) / 2 : 1 + (place) / 2)

mtype = { first, second, leader };

chan ring[N] = [N] of { mtype, byte };

byte leaders;
byte informed;

proctype node(chan from, to; byte number)
{
  byte best = number;    /* the number that this node stands for */
  byte nearer;           /* what its predecessor stands for */
  byte heard;

  xr from;
  xs to;

  to!first(best);
active_node:
  from?first(nearer);
  if
  :: nearer == best ->   /* it went all the way round */
    assert(best == N);
    leaders++;
    assert(leaders == 1);
    to!leader(best);
    from?leader(heard);
    goto knows
  :: else ->
    to!second(nearer)
  fi;
  from?second(heard);
  if
  :: nearer > best && nearer > heard ->
    best = nearer;
    to!first(best);
    goto active_node
  :: else
  fi;

relay:
  if
  :: from?first(heard) ->
    to!first(heard);
    goto relay
  :: from?second(heard) ->
    to!second(heard);
    goto relay
  :: from?leader(heard) ->
    to!leader(heard)
  fi;

knows:
  atomic {
    assert(heard == N);
    informed++;
    assert(leaders == 1 && informed <= N)
  }
}

init {
  byte place;

  atomic {
    do
    :: place < N ->
#ifdef FAULT
      run node(ring[place], ring[(place + 1) % N],
        (NUMBER(place) == N - 1 -> N : NUMBER(place)));
#else
      run node(ring[place], ring[(place + 1) % N], NUMBER(place));
#endif
      place++
    :: else -> break
    od
  }
}
