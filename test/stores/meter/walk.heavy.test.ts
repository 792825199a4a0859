import { compareMeters } from './walks.ts'

compareMeters(5_000)
