import { checksOf } from '../mutation.ts'

const refusals = ['test/limits/refusals.test.ts']

/** No caller spends more than its limits, and none is kept from what is left. */
export const limitChecks = [
  ...checksOf('billing', 'plugins/limits/index.ts', refusals, {
    'limits: a model without a price is refused under a budget': [
      'estimate().cost === undefined && hasAccount(exchange)',
      'false',
    ],
    'limits: a call is settled at its end': ['        settle(exchange, holds)\n', ''],
    'limits: operations that ask no model are free': [
      'return all && isWork(exchange.operation) ? admitCall',
      'return all ? admitCall',
    ],
  }),
  ...checksOf('billing', 'plugins/limits/takes.ts', refusals, {
    'limits: end users have amounts of their own': ['isPerUser ? endUser(name) : name', 'name'],
    'limits: of some models counts their calls alone': ['limit.appliesTo(model.name)', 'true'],
  }),
  ...checksOf('billing', 'plugins/limits/own-counts.ts', ['test/limits/store-away.test.ts'], {
    'limits: a strict budget needs the store': ['strict || !known', '!known'],
    'limits: a budget of an unknown sum needs the store': ['strict || !known', 'strict'],
  }),
  ...checksOf('billing', 'src/limits/estimate.ts', ['test/limits/estimate.test.ts'], {
    'limits: short replies do not let many long ones begin': ['Math.max(leastOutput, ', '('],
  }),
  ...checksOf('tenancy', 'src/accounts/caller-of-key.ts', ['test/limits/refusals.test.ts'], {
    'teams: narrow the models of their keys': [
      'mayUse: team.mayUse, models: team.models',
      'mayUse, models',
    ],
  }),
  ...checksOf('tenancy', 'plugins/limits/key-status.ts', ['test/limits/key-status.test.ts'], {
    "limits: a key does not read the gateway's": ["subject.type !== 'gateway'", 'subject'],
  }),
]
