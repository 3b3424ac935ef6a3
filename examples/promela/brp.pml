/* A bounded retransmission protocol: a file goes through channels that lose messages, in chunks,
 * and each chunk is sent at most 1 + MAX times.
 *
 *   P. D'Argenio, J.-P. Katoen, T. Ruys, J. Tretmans: The bounded retransmission protocol must be
 *   on time!, TACAS 1997, LNCS 1217.  Its clocks are no more here: a timer expires when nothing
 *   else is possible.
 *
 * The sender marks the first and the last chunk and alternates a bit; the receiver acknowledges
 * everything it gets and passes on what is new.  In the end the sender reports that all has
 * arrived (`ok`), that some has not (`not_ok`), or, if only the last acknowledgement is missing,
 * that it does not know.  After a failure both wait for each other and start again.
 *
 * Holds: what the sender reports is true of what the receiver has passed on, and chunks come in
 * their order (assertions); there is no deadlock.
 * -DN=3     the greatest number of chunks of a file (2)
 * -DMAX=3   how often a chunk is sent again (2)
 * -DFAULT   the receiver does not look at the bit: it passes on what it has got before, and an
 *           assertion is violated
 */

#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 2
#endif

mtype = { ok, not_ok, do_not_know };

chan frames = [1] of { bool, bool, bit, byte };   /* first, last, alternating bit, chunk */
chan acks = [1] of { bit };
chan restart = [0] of { bit };

byte size;       /* of the file that is sent, in chunks */
byte passed;     /* chunks that the receiver has passed on */

active proctype sender()
{
  bit alternating;
  byte chunk, again;
  mtype report;

new_file:
  atomic {
    select (chunk : 1 .. N);
    size = chunk;
    chunk = 1;
    passed = 0
  };

send_chunk:
  again = 0;
send_frame:
  frames!chunk == 1, chunk == size, alternating, chunk;
  if
  :: acks?eval(alternating) ->
    alternating = 1 - alternating;
    if
    :: chunk < size ->
      chunk++;
      goto send_chunk
    :: else ->
      report = ok
    fi
  :: timeout ->
    if
    :: again < MAX ->
      again++;
      goto send_frame
    :: chunk < size && again == MAX ->
      report = not_ok
    :: chunk == size && again == MAX ->
      report = do_not_know
    fi
  fi;

  atomic {
    assert(report != ok || passed == size);
    assert(report != not_ok || passed < size);
    assert(report != do_not_know || passed == size || passed == size - 1)
  };
  if
  :: report == ok
  :: else ->
    restart!1;
    alternating = 0
  fi;
  goto new_file
}

active proctype receiver()
{
  bool is_first, is_last;
  bit got, awaited;
  byte chunk;

  do
  :: frames?is_first, is_last, got, chunk ->
    if
#ifdef FAULT
    :: true ->
#else
    :: got == awaited ->
#endif
      passed++;
      assert(passed == chunk && (is_first == (chunk == 1)) && (is_last == (chunk == size)));
      awaited = 1 - got
#ifndef FAULT
    :: else                 /* it is here already, and the acknowledgement was lost */
#endif
    fi;
    acks!got
  :: restart?1 ->
    awaited = 0
  od
}

/* Messages are lost. */
active proctype daemon()
{
  do
  :: frames?_, _, _, _
  :: acks?_
  od
}
