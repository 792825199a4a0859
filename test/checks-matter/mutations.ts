import type { Mutation } from './mutation.ts'
import { authChecks } from './mutations/auth.ts'
import { bodyChecks } from './mutations/bodies.ts'
import { errorChecks } from './mutations/errors.ts'
import { fieldChecks } from './mutations/fields.ts'
import { frameChecks } from './mutations/frames.ts'
import { headerChecks } from './mutations/headers.ts'
import { streamChecks } from './mutations/streams.ts'

/** Every named check of requests, authentication, errors and streams. */
export const mutations: readonly Mutation[] = [
  ...fieldChecks,
  ...bodyChecks,
  ...authChecks,
  ...headerChecks,
  ...errorChecks,
  ...frameChecks,
  ...streamChecks,
]
