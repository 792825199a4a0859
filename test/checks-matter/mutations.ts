import type { Mutation } from './mutation.ts'
import { billingChecks } from './mutations/billing.ts'
import { chainingChecks } from './mutations/chaining.ts'
import { limitChecks } from './mutations/limits.ts'
import { secretsChecks } from './mutations/secrets.ts'
import { tenancyChecks } from './mutations/tenancy.ts'

/** The checks whose loss harms a user most. `npm run test:mutation` covers all other code. */
export const mutations: readonly Mutation[] = [
  ...tenancyChecks,
  ...chainingChecks,
  ...billingChecks,
  ...limitChecks,
  ...secretsChecks,
]
