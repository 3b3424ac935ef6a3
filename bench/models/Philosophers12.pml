/* The twin of Philosophers12.mch; where a philosopher is, its process is. */
bit taken[12];

active [12] proctype philosopher() {
  do
  :: d_step { taken[_pid] == 0 -> taken[_pid] = 1 };
     d_step { taken[(_pid + 1) % 12] == 0 -> taken[(_pid + 1) % 12] = 1 };
     taken[(_pid + 1) % 12] = 0;
     taken[_pid] = 0
  od
}
