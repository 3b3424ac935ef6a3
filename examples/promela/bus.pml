/* A bus, and an arbiter that grants it along a daisy chain.
 *
 *   S. Devulder: A comparison of LPV with other validation methods, ASE 1999, has an arbiter
 *   among its models; this one is a small one of that kind.
 *
 * Each of N devices raises its request and waits until it has won the bus.  The arbiter sends a
 * grant into the chain when somebody asks.  The link of a device that asks keeps the grant; any
 * other passes it on.  A grant that nobody keeps comes back at the end of the chain; one that is
 * kept is given back when the device is done.
 *
 * Holds: no two devices use the bus at the same time, and there is no deadlock.  That everybody
 * who asks gets the bus (the formula `served`) is violated: those near the arbiter go first.
 * -DN=4     the number of devices (3)
 * -DFAULT   a link looks at the request again after it has passed the grant on: an assertion is
 *           violated
 */

#ifndef N
#define N 3
#endif

bool request[N];
byte users;

chan chain[N + 1] = [0] of { bit };   /* the last one ends at the arbiter */
chan won[N] = [0] of { bit };
chan release = [0] of { bit };

proctype device(byte me)
{
  do
  ::
    request[me] = true;
    won[me]?1;
    users++;
    assert(users == 1);
using:
    users--;
    request[me] = false;
    release!1
  od
}

proctype link(byte me)
{
  do
  :: chain[me]?1 ->
    if
    :: request[me] -> won[me]!1
    :: else ->
      chain[me + 1]!1;
#ifdef FAULT
      if
      :: request[me] -> won[me]!1
      :: else
      fi
#endif
    fi
  od
}

proctype arbiter()
{
  byte i;

  do
  ::
    /* somebody asks: the wire is the disjunction of all requests */
    d_step {
      i = 0;
      do
      :: i < N && !request[i] -> i++
      :: else -> break
      od
    };
    if
    :: i < N ->
      chain[0]!1;
      if
      :: release?1
      :: chain[N]?1
      fi
    :: else
    fi
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run device(i);
      run link(i)
    }
    run arbiter()
  }
}

ltl served { [] (request[N - 1] -> <> !request[N - 1]) }
