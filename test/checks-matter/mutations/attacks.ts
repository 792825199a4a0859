import { checksOf } from '../mutation.ts'

const account = ['test/walks/refusals/about-the-account.test.ts']
const tiny = ['test/requests/tiny-chunks.test.ts']
const owners = ['test/tenancy/item-owners.test.ts']
const circuits = ['test/routing/circuit-keys.test.ts']
const paths = ['test/translate/long-argument-paths.test.ts']

/** What one request could do to all others. */
export const attackChecks = [
  ...checksOf('refusals', 'plugins/account-health/exclusions.ts', account, {
    'a model that answers is not excluded for all': [
      '!state.answered.refuse(upstreamModel, keyId) &&',
      '',
    ],
    'a refusal of a model names it': ['namesModel(outcome, upstreamModel)', 'true'],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', circuits, {
    'one key opens a circuit for itself alone': [
      'return this.#onlyKey === undefined || this.#onlyKey === keyId',
      'return true',
    ],
    'a second key opens a circuit for all': [
      'if (!wasProbe) this.#widen(attempt)',
      'if (!wasProbe) return undefined',
    ],
  }),
  ...checksOf('requests', 'src/lib/search-bytes.ts', ['test/requests/edits/large-texts.test.ts'], {
    'what stands between large texts is searched': [
      'if (includesWhole(bytes.subarray(from, start + text.length), text)) return true',
      '',
    ],
    'what stands behind large texts is searched': [
      'return includesWhole(from > 0 ? bytes.subarray(from) : bytes, text)',
      'return from === 0 && includesWhole(bytes, text)',
    ],
  }),
  ...checksOf('requests', 'src/lib/byte-list.ts', tiny, {
    'small chunks are joined': ['>= mostLoose) this.#joinLoose()', '> Infinity) this.#joinLoose()'],
  }),
  ...checksOf('kept', 'plugins/dialects/responses/named-data.ts', owners, {
    'a message without content is a reference': [
      "  if ((type ?? 'message') === 'message') return item.content == null\n",
      '',
    ],
    'a compaction without content is looked up': ["    case 'compaction':\n", ''],
    'the items of a list are collected once': ['this.#ids ??= new Set', 'this.#ids = new Set'],
  }),
  ...checksOf('translation', 'plugins/dialects/generate/codec/argument-path.ts', paths, {
    'a path of an argument is not endless': ['path.length > longestPath || ', ''],
  }),
]
