/* The twin of Registers7.mch. */
byte r[7];

#define COPY(i, j) :: r[j] = r[i]

active proctype registers() {
  d_step { r[1] = 1; r[2] = 2; r[3] = 3; r[4] = 4; r[5] = 5; r[6] = 6 };
  do
  COPY(1,0) COPY(2,0) COPY(3,0) COPY(4,0) COPY(5,0) COPY(6,0)
  COPY(0,1) COPY(2,1) COPY(3,1) COPY(4,1) COPY(5,1) COPY(6,1)
  COPY(0,2) COPY(1,2) COPY(3,2) COPY(4,2) COPY(5,2) COPY(6,2)
  COPY(0,3) COPY(1,3) COPY(2,3) COPY(4,3) COPY(5,3) COPY(6,3)
  COPY(0,4) COPY(1,4) COPY(2,4) COPY(3,4) COPY(5,4) COPY(6,4)
  COPY(0,5) COPY(1,5) COPY(2,5) COPY(3,5) COPY(4,5) COPY(6,5)
  COPY(0,6) COPY(1,6) COPY(2,6) COPY(3,6) COPY(4,6) COPY(5,6)
  od
}
