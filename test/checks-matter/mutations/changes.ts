import { checksOf, removed } from '../mutation.ts'

const inPlace = ['test/walks/requests/in-place.test.ts']
const failing = ['test/walks/requests/failing.test.ts']
const hanging = ['test/errors/hanging-hooks.test.ts']
const items = ['test/walks/requests/conversation-items.test.ts']
const everywhere = ['test/walks/requests/everywhere.test.ts']
const waiting = ['test/walks/events/waiting.test.ts']

/** What plugins change of requests, and how replies wait for them. */
export const changeChecks = [
  ...checksOf('requests', 'src/hooks/request.ts', failing, {
    ...removed({
      'a plugin that returns no request has failed': 'assertChangedRequest(result, input.request)',
      'a request that a plugin gets is frozen': 'await finishInTurns(freezeAll(request))',
    }),
    'a plugin answers in time': [
      'isThenable(changed) ? within(pluginMs, Promise.resolve(changed), late) : changed',
      'changed',
    ],
    'a client that leaves is not waited for': [
      'return await untilAborted(work, client.signal)',
      'return await work',
    ],
  }),
  ...checksOf('requests', 'src/generate/check-request.ts', failing, {
    ...removed({
      'a plugin does not decide about streams':
        "if (changed.stream !== original.stream) throw new TypeError('The hook changed `stream`.')",
    }),
    'parameters are JSON': ['isObject(value) && !isTooDeep(value)', 'isObject(value)'],
  }),
  ...checksOf('requests', 'src/rewrite/draft.ts', failing, {
    'a changed body has a limit': ['bytes.length > limits.jsonBodyBytes', 'bytes.length < 0'],
  }),
  ...checksOf('requests', 'src/rewrite/rewriting.ts', inPlace, {
    'a text is replaced where it stands': [
      '(await this.#withTexts(client, wanted)) ?? client',
      'client',
    ],
    'a draft that means something else is not sent': ['if (isRight) return', 'return'],
    'members that codecs add for accounts are left out': [
      'body: withoutMembers(one.body, added)',
      'body: one.body',
    ],
    'a document is read in turns before a change is written': [
      'await readTextFiles(request, this.#exchange)',
      'request',
    ],
  }),
  ...checksOf('requests', 'src/rewrite/edit-texts.ts', inPlace, {
    'a text that is also a word of the dialect is told apart': [
      'if (all !== undefined) return all',
      'return all',
    ],
  }),
  ...checksOf('requests', 'src/hooks/own-time.ts', hanging, {
    'the time of a hook stands still while it waits': [
      '    clearTimeout(this.#timer)\n    const goOn',
      '    const goOn',
    ],
    'a late hook sends nothing': [
      'if (this.#isLate) return Promise',
      'if (this.#hasEnded && !this.#isLate) return Promise',
    ],
  }),
  ...checksOf('requests', 'src/hooks/scoped.ts', hanging, {
    'hooks have a deadline': ['if (!bounded.has(hookName)) return', 'return'],
  }),
  ...checksOf('requests', 'src/rewrite/index.ts', items, {
    'of items only the turns change': [
      '? { ...returned, request: { ...request, turns } }',
      '? returned',
    ],
    'a conversation without items is no request': ['request.turns.length === 0', 'false'],
  }),
  ...checksOf('requests', 'plugins/dialects/responses/conversation-turns.ts', items, {
    'results of items may be elsewhere': ['encodePart(turns)', 'encodeTurns(turns, new Map())'],
  }),
  ...checksOf('requests', 'src/rewrite/losses.ts', inPlace, {
    ...removed({
      'what a dialect has no field for is told':
        "...missing(sampling, other.sampling, 'sampling.'),",
    }),
    'a strict caller is refused a loss': ["(caller.losses ?? policy) !== 'drop'", 'false'],
  }),
  ...checksOf('requests', 'src/rewrite/losses.ts', everywhere, {
    'a tool that a dialect lacks is told': ['!names.has(name)', 'false'],
  }),
  ...checksOf('requests', 'src/rewrite/change-call.ts', everywhere, {
    'the changed body is understood again': [
      'const changed = await understand(understood, operation, body)',
      'const changed = understood',
    ],
  }),
  ...checksOf('streams', 'src/hooks/event-mappers.ts', waiting, {
    'a mapper that waits has a deadline': [
      'within(pluginMs, Promise.resolve(done), late)',
      'Promise.resolve(done)',
    ],
  }),
  ...checksOf('streams', 'src/upstream/observed-stream.ts', waiting, {
    ...removed({ 'a mapper learns that its attempt is over': 'this.observer.cancel?.()' }),
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', waiting, {
    'keep-alives go on while a plugin waits': [
      'if (this.isSettling && !this.isLongWait) return',
      'if (this.isSettling) return',
    ],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', waiting, {
    ...removed({
      'a mapper of a whole reply learns that its client has left': 'this.#abort?.abort()',
    }),
  }),
  ...checksOf('streams', 'src/translate/observer.ts', waiting, {
    'the end of a reply waits for its mappers': [
      "event.type === 'finish' && this.#waiting",
      'false',
    ],
  }),
  ...checksOf('streams', 'src/generate/waiting-mappers.ts', waiting, {
    'no event passes one that waits': ['else if (stage.isBusy) stage.waiting.add(event)\n', ''],
  }),
]
