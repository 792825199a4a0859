/** A type as JSON has it: the texts of an enumeration in place of its members. */
export type Json<T> = T extends string
  ? `${T}`
  : T extends object
    ? { [Member in keyof T]: Json<T[Member]> }
    : T
