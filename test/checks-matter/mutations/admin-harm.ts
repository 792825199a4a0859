import { checksOf } from '../mutation.ts'

const damaged = ['test/admin/damaged-records.test.ts']
const questions = ['test/admin/many-questions.test.ts']
const accounts = ['test/admin/account-acts.test.ts']
const configuration = ['test/admin/configuration.test.ts']
const config = ['test/cli/config.test.ts']
const proxies = ['test/cli/doctor/proxies.test.ts']
const acts = ['test/admin/many-acts.test.ts']
const audit = ['test/admin/audit.test.ts']
const commands = ['test/admin/commands.test.ts']

/** What a viewer, a damaged record or a stranger does to operators. */
export const adminHarmChecks = [
  ...checksOf('admin', 'src/admin/processes/command-places.ts', questions, {
    'harm: one asker leaves places to the others': ['own >= mostOfAsker', 'own < 0'],
  }),
  ...checksOf('admin', 'src/admin/processes/commands.ts', commands, {
    'harm: questions take no place of an act': [
      'places.take(options.asker)',
      'places.take(options.asker ?? "all")',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/gather.ts', questions, {
    'harm: equal questions at the same time are one': [
      'questions.get(question) ?? commandAllOrHere',
      'commandAllOrHere',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/sessions.ts', acts, {
    'harm: a session of another is refused before an act begins': [
      "principal.role === 'admin' || id === principal.sessionId",
      "principal.role === 'admin' || id !== principal.sessionId",
    ],
  }),
  ...checksOf('admin', 'src/admin/act-rates.ts', acts, {
    'harm: acts have a rate': ['acts.take(id) || failed', 'failed'],
    'harm: failed acts have a rate': ['acts.take(id) || failed.take(id)', 'acts.take(id)'],
  }),
  ...checksOf('admin', 'src/admin/act.ts', acts, {
    'harm: an act that is done is no failed one': [
      '!misses.has(result.failure)',
      'misses.has(result.failure)',
    ],
  }),
  ...checksOf('admin', 'src/stores/revocations.ts', damaged, {
    'harm: a damaged list of revocations announces nothing': [
      'const { announced = [] } = underWaySchema.safeParse(record).data ?? {}',
      'const { announced } = record as { announced: unknown[] }',
    ],
    'harm: a damaged revocation announces nothing': [
      'announcedSchema.safeParse(one).data ?? []',
      'one as Announced',
    ],
    'harm: revocations are bounded': ['.slice(1 - mostUnderWay)', ''],
  }),
  ...checksOf('admin', 'src/stores/versions.ts', damaged, {
    'harm: a damaged former version counts as none': [
      'return isFormer(known) ? known : 0',
      'return (known ?? 0) as number',
    ],
    'harm: a version can be followed': ['value <= greatestFormer', 'value > 0'],
    'harm: a damaged former version is written again': [
      'isFormer(known) && known >= version',
      'isFormer(known) || (known as number) >= version',
    ],
  }),
  ...checksOf('admin', 'src/admin/export-audit.ts', audit, {
    'harm: one principal has one export': [' || running.has(principal.id)', ''],
    'harm: an export ends where the log ended': [', last: newest?.cursor', ''],
    'harm: an export has a deadline': ['response, { signal }', 'response'],
  }),
  ...checksOf('admin', 'src/admin/act-rates.ts', audit, {
    'harm: exports have a rate': ['exports.take(id)', '0'],
  }),
  ...checksOf('admin', 'src/admin/accounts/test-account.ts', accounts, {
    'harm: tests of an account that are close share a call': [
      'uptime() - known.endedAt < sharedMs',
      'uptime() < known.endedAt',
    ],
  }),
  ...checksOf('admin', 'plugins/proxy-test.ts', proxies, {
    'harm: a permit that is not looked up is not unknown': [
      "throw new GatewayError('rate_limited', 'Too many tests are looked up. Try again in a second.')",
      'return false',
    ],
  }),
  ...checksOf('terminal', 'src/cli/doctor/proxy.ts', proxies, {
    'harm: a test that is crowded out is no finding': ['status === 429', 'status === 1'],
  }),
  ...checksOf('terminal', 'src/cli/config/yaml.ts', config, {
    'names that are numbers are no list': ['!named.has(name) && ', ''],
  }),
  ...checksOf('admin', 'src/configuration/describe.ts', configuration, {
    'the issuer of a sign-in is shown as other URLs are': ['issuer: describeUrl', 'issuer: plain'],
  }),
]
