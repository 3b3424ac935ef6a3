/* Philosophers who dine: each needs the forks on both sides.
 *
 *   E. W. Dijkstra: Hierarchical ordering of sequential processes, Acta Informatica 1(2), 1971.
 *
 * A fork is a channel with room for one message: who has put something there has the fork.
 *
 * Violated: all take the fork on their left, and there is a deadlock (invalid end state).
 * -DN=5       the number of philosophers (3)
 * -DORDERED   the last one begins with the other fork: there is no deadlock
 */

#ifndef N
#define N 3
#endif

#define LEFT (me)
#define RIGHT ((me + 1) % N)

chan fork[N] = [1] of { bit };
byte eating;

proctype philosopher(byte me)
{
  do
  ::
#ifdef ORDERED
    if
    :: me == N - 1 -> fork[RIGHT]!1; fork[LEFT]!1
    :: else -> fork[LEFT]!1; fork[RIGHT]!1
    fi;
#else
    fork[LEFT]!1;
    fork[RIGHT]!1;
#endif
    eating++;
    assert(eating <= N / 2);
progress_eat:
    eating--;
    fork[LEFT]?_;
    fork[RIGHT]?_
  od
}

init {
  byte i;

  atomic {
    for (i : 0 .. N - 1) {
      run philosopher(i)
    }
  }
}
