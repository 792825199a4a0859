import { compareMeters, compareRedis } from './walks.ts'

compareMeters(10_000)
compareRedis(10_000)
