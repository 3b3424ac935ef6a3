/* Mutual exclusion of two processes with three shared variables.
 *
 *   G. L. Peterson: Myths about the mutual exclusion problem, Information Processing Letters
 *   12(3), 1981.
 *
 * Holds: there is never more than one process in the critical section, and who waits gets
 * there (the formula `enters`).
 * -DFAULT   a process gives the turn to itself: an assertion is violated
 */

#define other (1 - _pid)

bool wants[2];
byte turn;
byte inside;

active [2] proctype process()
{
  do
  ::
    wants[_pid] = true;
#ifdef FAULT
    turn = _pid;
#else
    turn = other;
#endif
waiting:
    !wants[other] || turn == _pid;
critical:
    inside++;
    assert(inside == 1);
    inside--;
    wants[_pid] = false
  od
}

ltl enters { [] (process[0]@waiting -> <> process[0]@critical) }
