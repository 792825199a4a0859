import { checksOf } from '../mutation.ts'

const policies = ['test/walks/losses/policies.test.ts']
const keys = ['test/walks/losses/keys.test.ts']
const routing = ['test/walks/losses/routing.test.ts']
const words = ['test/walks/losses/refusal-words.test.ts']
const changed = ['test/walks/losses/stray-results.test.ts', 'test/walks/losses/few-tokens.test.ts']
const more = ['test/checks-matter/translation.test.ts']
const counts = ['test/walks/continuity/counting-foreign.test.ts', ...more]

const losses = 'src/translate/losses.ts'

/** What an account of another dialect is not told, and who hears of that. */
export const lossChecks = [
  ...checksOf('translation', losses, policies, {
    'what only its own dialect can do is not left out': [
      'if (missing) throw declined(missing, context, false)',
      '',
    ],
    'where nothing may be lost nobody is asked': [
      "if (first && context.policy !== 'drop') throw",
      'if (false) throw',
    ],
    'what was left out is told': [
      'return reported.map(({ field, reason }) => ({ field, reason }))',
      'return []',
    ],
    'a hint that nobody will miss is no loss': [
      "({ treatment }) => treatment === 'warn'",
      '({ treatment }) => treatment !== undefined',
    ],
  }),
  ...checksOf('translation', losses, keys, {
    'a key has its own policy': ['caller.losses ?? services.policy', 'services.policy'],
  }),
  ...checksOf('translation', losses, words, {
    'a refusal says what can be done': ['const ways = isPolicy\n', 'const ways = !isPolicy\n'],
  }),
  ...checksOf('translation', losses, changed, {
    'where nothing may be lost nothing is changed': [
      "if (context.policy === 'drop') return drop",
      'if (context) return drop',
    ],
  }),
  ...checksOf('translation', losses, more, {
    'what the gateway does itself is no loss': ['settledLater.union(emulated)', 'settledLater'],
  }),
  ...checksOf('translation', 'src/translate/translation.ts', changed, {
    'what was changed is told': [
      'if (!reported.some((loss) => loss.field === field)) reported.push({ field, reason })',
      '',
    ],
  }),
  ...checksOf('translation', 'src/exchange/deliver.ts', policies, {
    'losses are told in a header': [
      "if (losses.length > 0) headers['x-dragoman-losses'] ??= lossesHeader(losses)",
      '',
    ],
  }),
  ...checksOf('translation', 'src/exchange/record.ts', more, {
    'what another account would have lost is not told': [
      'losses: [],',
      'losses: (exchange as Partial<Routed>).attempt?.losses ?? [],',
    ],
  }),
  ...checksOf('translation', 'src/route/no-account-error.ts', policies, {
    'a client is told what no account can be asked for': ['if (first && ', 'if (false && '],
  }),
  ...checksOf('translation', 'src/route/no-account-error.ts', routing, {
    'an account that is away is no lack of another': [
      'excluded.every(({ field })',
      'excluded.some(({ field })',
    ],
  }),
  ...checksOf('translation', 'src/kit/translated-to.ts', ['test/walks/losses/told.test.ts'], {
    'an account of the client’s dialect is asked in no other': [' && !candidate.native', ''],
  }),
  ...checksOf('translation', 'src/translate/count.ts', counts, {
    'what is not counted is told': ['losses.push(...acceptLosses(request, codec, context))', ''],
    'an answer without a count is none': ['if (tokens === undefined) {', 'if (false) {'],
  }),
]
