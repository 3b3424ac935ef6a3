/* The twin of Counters7.mch. */
byte c[7];

#define UP(i) d_step { c[i] < 9 -> c[i]++ }

active proctype counters() {
  do
  :: UP(0) :: UP(1) :: UP(2) :: UP(3) :: UP(4) :: UP(5) :: UP(6)
  od
}
