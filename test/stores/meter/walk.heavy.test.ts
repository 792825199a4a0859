import { compareMeters } from './walks.ts'

compareMeters(10_000)
