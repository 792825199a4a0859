import { checksOf } from '../mutation.ts'

const refusals = ['test/limits/refusals.test.ts']
const meters = ['test/stores/meter/contract.test.ts']

/** No caller spends more than its limits, and none is kept from what is left. */
export const limitChecks = [
  ...checksOf('billing', 'plugins/limits/index.ts', refusals, {
    'limits: a model without a price is refused under a budget': [
      'estimate().cost === undefined && hasAccount(exchange)',
      'false',
    ],
    'limits: a call is settled at its end': ['        if (call) settle(exchange, call)\n', ''],
    'limits: operations that ask no model are free': [
      'if (isWork(exchange.operation)) return all ? admitCall',
      'if (all) return all ? admitCall',
    ],
  }),
  ...checksOf('billing', 'src/jobs/open-jobs.ts', ['test/jobs/open-jobs.test.ts'], {
    'limits: an account says what its job has used': [
      "if (typeof answer === 'object') return endTaken(key, () => answer)\n    const isKnown",
      'const isKnown',
    ],
  }),
  ...checksOf('billing', 'src/jobs/spend.ts', ['test/limits/background-ends.test.ts'], {
    'limits: output that a stream has shown is charged': [
      'Math.max(ended.outputTokens ?? 0, seen)',
      'ended.outputTokens ?? 0',
    ],
  }),
  ...checksOf('billing', 'plugins/limits/takes.ts', refusals, {
    'limits: end users have amounts of their own': ['amounts.endUser(one.name)', 'one.name'],
    'limits: of some models counts their calls alone': [' || !counts(limit, model, call)', ''],
  }),
  ...checksOf('billing', 'plugins/limits/takes.ts', ['test/limits/batches.test.ts'], {
    'limits: of some models count the batches that name one': [
      'return othersOf(named).some((one) => limit.appliesTo(one))',
      'return false',
    ],
  }),
  ...checksOf('billing', 'plugins/limits/lease.ts', ['test/limits/leases.test.ts'], {
    'limits: a lease admits what it has': ['part.free < amount', 'part.free < 0'],
    'limits: a lease holds what its calls hold': ['this.#inFlight + this.free', 'this.free'],
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
  ...checksOf('billing', 'src/stores/meter-rules.ts', meters, {
    'meter: calls in flight count before they are charged': [
      'most > 0 && sum(spent, held, amount)',
      'most > 0 && sum(spent, 0, amount)',
    ],
    'meter: no call takes the rest beside others': ["held > own ? 'held' : undefined", 'undefined'],
    'meter: a strict budget covers a whole call': ['if (isStrict) return', 'if (false) return'],
    'meter: an expired hold charges its floor': ['sum(counter.spent, floor)', 'counter.spent'],
    'meter: a lost lease is charged whole': ["'budget' ? holds : 0", "'budget' ? 0 : 0"],
    'meter: a late settlement corrects a lost hold': ['sum(charged, floor), 0]', 'charged, 0]'],
  }),
  ...checksOf('billing', 'src/stores/sql-meter.ts', meters, {
    'meter: a settlement without a hold counts once': ['unheld ? mark : undefined', 'undefined'],
  }),
  ...checksOf('billing', 'src/stores/file/writer-thread.ts', meters, {
    'meter: a batch writes what its operations count': ['    flush()\n', ''],
  }),
  ...checksOf('billing', 'src/stores/redis/meter-script.ts', meters, {
    'meter: no call takes the rest beside others, on Redis': [
      "elseif held > own then why = 'held' end",
      'end',
    ],
    'meter: a lost lease is charged whole, on Redis': [
      "'budget' and holds or 0",
      "'budget' and 0 or 0",
    ],
    'meter: a settlement without a hold counts once, on Redis': [
      "put('o' .. id, packed(true, {}))",
      '',
    ],
  }),
  ...checksOf('billing', 'plugins/limits/call-meter.ts', ['test/limits/store-away.test.ts'], {
    'meter: a settlement that fails is repeated as it was': [
      'this.settlements.add(end)',
      'this.settlements.add({ ...end, unheld: true })',
    ],
  }),
]
