import type { Mutation } from './mutation.ts'
import { authChecks } from './mutations/auth.ts'
import { bodyChecks } from './mutations/bodies.ts'
import { formChecks } from './mutations/forms.ts'
import { errorChecks } from './mutations/errors.ts'
import { fieldChecks } from './mutations/fields.ts'
import { frameChecks } from './mutations/frames.ts'
import { headerChecks } from './mutations/headers.ts'
import { jobChecks } from './mutations/jobs.ts'
import { keptChecks } from './mutations/kept.ts'
import { lossChecks } from './mutations/losses.ts'
import { remoteChecks } from './mutations/remote.ts'
import { signatureChecks } from './mutations/signatures.ts'
import { streamChecks } from './mutations/streams.ts'
import { translatedChecks } from './mutations/translated.ts'

/** Every named check of what the gateway takes, tells, translates, keeps and fetches. */
export const mutations: readonly Mutation[] = [
  ...fieldChecks,
  ...bodyChecks,
  ...formChecks,
  ...authChecks,
  ...headerChecks,
  ...errorChecks,
  ...frameChecks,
  ...streamChecks,
  ...signatureChecks,
  ...lossChecks,
  ...translatedChecks,
  ...keptChecks,
  ...jobChecks,
  ...remoteChecks,
]
