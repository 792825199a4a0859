import { checksOf } from '../mutation.ts'

const account = ['test/walks/refusals/about-the-account.test.ts']
const tiny = ['test/requests/tiny-chunks.test.ts']
const owners = ['test/tenancy/item-owners.test.ts']
const circuits = ['test/routing/circuit-keys.test.ts']
const probes = ['test/routing/circuit-probe.test.ts']
const rests = ['test/routing/rest-keys.test.ts']
const strays = ['test/routing/circuit-stray.test.ts']
const clocks = ['test/routing/clock-set-back.test.ts']
const gone = ['test/plugins/circuits-gone.test.ts']
const rows = ['test/routing/circuit-row.test.ts']
const outputs = ['test/routing/circuit-output.test.ts']
const largeTexts = ['test/requests/edits/large-texts.test.ts']
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
  ...checksOf('refusals', 'plugins/account-health/index.ts', rests, {
    'only an overload asks for a pause': ['about === undefined && isOverload(status)', 'true'],
  }),
  ...checksOf('refusals', 'plugins/account-health/model-rest.ts', rests, {
    'one key lets a model rest for itself alone': [
      'if (!agrees) return\n',
      'if (!agrees) return void (this.#all = { until: coolDown.until, status: 503 })\n',
    ],
    'a model rests for the shorter pause of two keys': [
      'known.until < coolDown.until ? known : coolDown',
      'known.until < coolDown.until ? coolDown : known',
    ],
    'each key has a pause of its own': [
      'this.#own.set(keyId, own',
      'for (const [other] of [...this.#own.entries()]) this.#own.delete(other)\n    this.#own.set(keyId, own',
    ],
    'the longer of two limits counts': [
      'this.#all = laterOf(this.#all, coolDown)',
      'this.#all = coolDown',
    ],
    'an answer outweighs a pause': ['this.#sinceAnswer = undefined', ''],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', circuits, {
    'one key opens a circuit for itself alone': [
      'if (blamed !== undefined) return this.#blame(blamed, reason, now)\n',
      '',
    ],
    'a second key opens a circuit for all': [
      "return this.#openAll(this.isClosed ? reason : 'others', now)",
      'return undefined',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', strays, {
    'successes of other keys outweigh a failure of theirs': [
      'this.#tally.addSuccess(now)',
      'if (this.isClosed) this.#tally.addSuccess(now)',
    ],
    'each key that fails alone has a gate of its own': [
      'if (blamed !== undefined) return',
      'if (blamed !== undefined && this.isClosed) return',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/key-gates.ts', strays, {
    'the circuit of a key that does not return closes': [
      'now >= gate.openUntil + this.#settings.longestOpenMs',
      'now >= gate.openUntil + 1e9',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/tally.ts', strays, {
    'a share of failures is blamed on the key that has them': [
      'return this.isRow\n      ?',
      'return true\n      ?',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit-log.ts', strays, {
    'the log names the key of a circuit': ['...(key !== undefined && { key })', ''],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuits.ts', gone, {
    'an account that is gone takes its open circuit with it': [
      'this.#gone.register(account, byDialect)',
      '',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/tally.ts', rows, {
    'a row of one key may have strays of others': ['Math.ceil(settings.failures / 2)', '1'],
    'a row that several keys share is due to the account': [
      'Math.ceil(settings.failures / 2)',
      'settings.failures',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', rows, {
    'a stray failure does not open the gate of a blamed key again': [
      'return gate && !gate.isClosed ? undefined : this.#openForKey(keyId, reason, now)',
      'return this.#openForKey(keyId, reason, now)',
    ],
  }),
  ...checksOf('refusals', 'src/upstream/stream-relay.ts', outputs, {
    'the first output of a stream shows that its account works': [
      'if (this.attempt.onOutput) this.#announceOutput(this.attempt.onOutput)',
      '',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', outputs, {
    'streams that go on to break open the circuit again': [
      "if (this.#all.isOnProbation) return this.#suspectKey(keyId, 'probation', now)",
      '',
    ],
    'a failure beside the output of one key opens nothing': [
      'if (own?.isOnProbation) return',
      'if (this.#keyGates.all(now).next().value?.isOnProbation) return',
    ],
    'an account whose streams all break stays away for longer': [
      'if (keyId === undefined || isOther) return',
      'if (keyId === undefined) return',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/circuit.ts', probes, {
    'after a failed trial, calls of other keys try one at a time': [
      'this.#all.halfOpen(now)',
      'this.#all.closeOnProbation()',
    ],
  }),
  ...checksOf('refusals', 'plugins/circuit-breaker/probes.ts', probes, {
    'a long probe of one key does not keep other keys out': [
      '(probe.keyId === keyId ? 2 : 1)',
      '(probe.keyId === keyId ? 2 : 12)',
    ],
    'a key with long calls leaves the next probe to another key': [
      '(probe.keyId === keyId ? 2 : 1)',
      '1',
    ],
    'a long probe counts beside another one': [
      '[...this.#running.slice(1 - most), probe]',
      '[probe]',
    ],
  }),
  ...checksOf('refusals', 'src/lib/machine-time.ts', clocks, {
    'a clock that is set back makes no wait longer': [
      'return performance.timeOrigin + performance.now()',
      'return Date.now()',
    ],
    'the end of a wait follows the clock of the machine': [
      'if (Math.abs(ahead - aheadMs) >= leastStepMs) aheadMs = ahead',
      '',
    ],
  }),
  ...checksOf('requests', 'src/lib/intake.ts', ['test/large-bodies.test.ts'], {
    'many large bodies are not read in one turn': [
      'if (this.#arrived <= mostPerTurn) return undefined',
      'if (bytes) return undefined',
    ],
  }),
  ...checksOf('requests', 'src/lib/json/find-string.ts', largeTexts, {
    'all strings of a large body are looked at': ['index < stringStarts.length', 'index < 20'],
  }),
  ...checksOf('requests', 'plugins/dialects/responses/edits.ts', largeTexts, {
    'parts of a large body are looked for': [
      `hasString(body, '"text"') || hasString(body, '"image_url"')`,
      'false',
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
    'a message without any part is looked up': [
      "return item.content === '' || (Array.isArray(item.content) && item.content.length === 0)",
      "return item.content === ''",
    ],
    'a message with a blank content is looked up': ["return item.content === '' || ", 'return '],
    'a compaction without content is looked up': ["    case 'compaction':\n", ''],
    'the items of a list are collected once': [
      'this.#ids ??= new TextSet',
      'this.#ids = new TextSet',
    ],
  }),
  ...checksOf('translation', 'plugins/dialects/generate/codec/argument-path.ts', paths, {
    'a path of an argument is not endless': ['path.length > longestPath || ', ''],
  }),
]
