import { z } from 'zod'

import { expects } from './expectation.ts'

export const count = z.int().positive().meta(expects('a whole number above 0', 5))

export const bytes = z.int().positive().meta(expects('a whole number of bytes above 0', 67_108_864))

// What a timer of Node takes at most.
export const milliseconds = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .meta(expects('a whole number of milliseconds from 1 to 2147483647', 10_000))
