/* Producers and a consumer with a bounded channel between them.
 *
 * N producers number their items and send them, with their own names, through one channel with
 * room for SIZE items.  A ledger says which item of each producer is to come next.
 *
 * Holds: with one consumer, items of each producer arrive in their order and none is lost (an
 * assertion in `consumer`), and nobody waits for ever.
 * -DN=3           the number of producers (2)
 * -DSIZE=3        the room in the channel (2)
 * -DITEMS=4       what each producer sends (3)
 * -DCONSUMERS=2   the number of consumers (1): with more than one, an item can overtake another
 *                 between the channel and the ledger (assertion), and one consumer may wait for
 *                 an item that another takes (invalid end state)
 */

#ifndef N
#define N 2
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif

chan store = [SIZE] of { byte, pid };
byte expected[N];
byte taken;

active [N] proctype producer()
{
  byte item;

  do
  :: item < ITEMS ->
    store!item, _pid;
    item++
  :: else -> break
  od
}

active [CONSUMERS] proctype consumer()
{
  byte item;
  pid who;

#if CONSUMERS == 1
  xr store;
#endif

  do
  :: taken < N * ITEMS ->
    store?item, who;
    atomic {
      assert(item == expected[who]);
      expected[who]++;
      taken++;
      item = 0;
      who = 0
    }
  :: else -> break
  od;
  assert(empty(store))
}
