import { checksOf } from '../mutation.ts'

const scope = ['test/walks/kept/scope.test.ts']
const stored = ['test/walks/kept/stored.test.ts']
const away = ['test/walks/kept/store-away.test.ts']
const endings = ['test/walks/kept/endings.test.ts']
const conversations = ['test/walks/kept/conversations.test.ts']
const both = ['test/walks/kept/conversation-scope.test.ts']
const native = ['test/walks/kept/edited-natively.test.ts']

const chained = [
  'test/walks/chaining/same-account.test.ts',
  'test/walks/chaining/unroutable.test.ts',
]
const early = ['test/plugins/bindings-under-way.test.ts']
const more = ['test/checks-matter/kept.test.ts']

const look = 'plugins/bindings/lookup.ts'
const keeping = 'plugins/dialects/responses/transcripts/transcript-store.ts'

/** Who may go on from a response, and from which. */
export const keptChecks = [
  ...checksOf('kept', 'plugins/bindings/binding-name.ts', scope, {
    'a response is continued by its own key alone': [
      '{ kind, keyId, id }',
      "{ kind, keyId: '', id }",
    ],
  }),
  ...checksOf('kept', 'src/stores/bindings.ts', scope, {
    'keys are apart in the store': ['recordIdOf([kind, keyId], id)', 'recordIdOf([kind], id)'],
  }),
  ...checksOf('kept', look, scope, {
    'a response is continued by its own model alone': ['model === wanted && ', ''],
    'a response is continued for an hour': [' && chainUntil > now()', ''],
  }),
  ...checksOf('kept', look, stored, {
    'a response is kept for 30 days': [
      'binding && binding.expiresAt > now() ? binding : undefined\n  }\n\n  function continues',
      'binding\n  }\n\n  function continues',
    ],
  }),
  ...checksOf('kept', look, away, {
    'a store that is away is no answer': ['throw errors.lookupFailed(cause)', 'return undefined'],
  }),
  ...checksOf('kept', look, both, {
    'a call goes on from one thing': ['if (pins.length > 1 && ', 'if (false && '],
  }),
  ...checksOf('kept', look, ['test/walks/kept/conversation-models.test.ts'], {
    'a conversation goes on with models of its account': [
      'if (!isServed) throw',
      'if (false) throw',
    ],
  }),
  ...checksOf('kept', 'src/stores/update-lines.ts', ['test/stores/update-lines.test.ts'], {
    'changes of one record are made together': [
      'line.splice(0, isPlain ? line.length : 1)',
      'line.splice(0, 1)',
    ],
    'no number of changes waits': ['line.length < mostWaiting', 'true'],
    'what a change wrote and left is read again': ["'error' in one ? one : reopened(found)", 'one'],
  }),
  ...checksOf('kept', 'src/stores/envelopes.ts', ['test/stores/large-records.test.ts'], {
    'a large record waits for memory': ['await admit?.(memory)', ''],
  }),
  ...checksOf('kept', 'src/stores/read-many.ts', ['test/stores/large-records.test.ts'], {
    'many small records wait for memory': ['await options.admit?.(memoryOfShort(envelope))', ''],
  }),
  ...checksOf('kept', 'src/kit/stored-size.ts', ['test/stores/stored-size.test.ts'], {
    'escapes count': ['bytes += shortEscapes.has(code) ? 1 : 5', 'bytes += 0'],
  }),
  ...checksOf('kept', keeping, ['test/walks/kept/item-references.test.ts'], {
    'a named item is told once': ['known.add(item.id)', ''],
  }),
  ...checksOf('kept', 'plugins/bindings/record-produced.ts', more, {
    'who looks at a response has not made it': [
      'produced?.binds && !isAbout(exchange, produced)',
      'produced?.binds',
    ],
  }),
  ...checksOf('kept', 'plugins/bindings/pending-writes.ts', early, {
    'what is being written is found': [
      'const writes = [...(writesOf(name)?.keys() ?? [])]',
      'const writes: Write[] = []',
    ],
    'a write that failed is known until it waits': ['setImmediate(end)', 'end()'],
  }),
  ...checksOf('kept', 'plugins/bindings/resource-store.ts', early, {
    'what is being written is changed afterwards': [
      'await stored.settled(name)\n    const waiting',
      'const waiting',
    ],
    'what is being written is deleted afterwards': [
      'await stored.settled(name)\n    const undo',
      'const undo',
    ],
  }),
  ...checksOf('kept', keeping, scope, {
    'what is not to be stored is not kept': [
      'if (conversation.body.store === false) return',
      'if (false) return',
    ],
  }),
  ...checksOf('kept', keeping, endings, {
    'what did not come to its end goes no further': ["status === 'completed'", 'Boolean(status)'],
  }),
  ...checksOf('kept', keeping, ['test/walks/kept/lying-store.test.ts'], {
    'an answer is in a conversation once': [
      '...more.filter(({ id }) => !known.has(id))',
      '...more',
    ],
  }),
  ...checksOf('kept', 'src/translate/persist-reply.ts', ['test/walks/kept/size.test.ts'], {
    'what is too large is not kept': [
      'if (storedSizeOf(transcript) > maxStoredBytes) {',
      'if (false) {',
    ],
  }),
  ...checksOf('kept', 'src/translate/persist-reply.ts', native, {
    'what the account alone knows goes no further': [' && !conversation.isPartial', ''],
  }),
  ...checksOf('kept', 'src/translate/persist-reply.ts', conversations, {
    'a conversation has only what came to its end': [' || !transcripts?.isComplete(reply)', ''],
  }),
  ...checksOf('kept', 'src/translate/persist-reply.ts', more, {
    'a response does not grow by what goes on from it': [' || !isIn', ''],
  }),
  ...checksOf('kept', 'src/translate/translation.ts', ['test/walks/kept/chain.test.ts'], {
    'what was said before is told again': ['if (transcript && transcripts) {', 'if (false) {'],
  }),
  ...checksOf('kept', 'src/attempt/attempt.ts', more, {
    'an account that has something may be asked for it again': [
      'if (ranking.pinned) throw failure.error',
      '',
    ],
  }),
  ...checksOf('kept', 'src/route/ranking.ts', chained, {
    'what an account has is asked of no other one': [
      'else if (pin && account !== pin.pinnedTo) {',
      'else if (false) {',
    ],
    'what an account has is asked of it at once': [
      'this.#pin ? owner(this.#pool, this.#pin) : chooseFirst(this.#pool)',
      'chooseFirst(this.#pool)',
    ],
  }),
  ...checksOf('kept', 'src/route/ranking.ts', ['test/walks/kept/native-later.test.ts'], {
    'what an account keeps it is asked for in its own words': [
      'return native || stored !== undefined || isFree',
      'return true',
    ],
  }),
]
