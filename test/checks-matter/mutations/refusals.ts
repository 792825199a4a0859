import { checksOf } from '../mutation.ts'

const request = ['test/walks/refusals/about-the-request.test.ts']
const account = ['test/walks/refusals/about-the-account.test.ts']
const unclear = ['test/walks/refusals/unclear.test.ts']
const limits = ['test/walks/refusals/limits.test.ts']
const comingBack = ['test/walks/refusals/coming-back.test.ts']
const pinned = ['test/walks/refusals/pinned.test.ts']
const hooks = ['test/walks/refusals/hooks.test.ts']
const oddBytes = ['test/walks/refusals/odd-bytes.test.ts']
const interim = ['test/upstream/interim-replies.test.ts']
const standing = ['test/plugins/account-standing.test.ts']

/** What a refusal is about, and what it may take from whom. */
export const refusalChecks = [
  ...checksOf('refusals', 'plugins/dialects/shared/google-refusals.ts', request, {
    'a missing file of Gemini is the request’s': [
      "{ message: /permission to access the .{0,300} or it may not exist/i, about: 'request' },",
      '',
    ],
  }),
  ...checksOf('refusals', 'plugins/dialects/shared/google-refusals.ts', account, {
    'reasons about the key are the account’s': [
      'if (reasons.test(reason)) return',
      'if (false) return',
    ],
  }),
  ...checksOf('refusals', 'plugins/dialects/shared/google-refusals.ts', limits, {
    'a quota with a model is the model’s': ["? 'model-limit' : ", "? 'account-limit' : "],
    'a quota without a model is the account’s': [": 'account-limit'", ": 'model-limit'"],
  }),
  ...checksOf('refusals', 'plugins/dialects/shared/openai-refusals.ts', request, {
    'a flagged input is the request’s': [
      "if (status === 403 && isFlagged(error)) return 'request'",
      '',
    ],
    'a request too large for a limit is the request’s': [
      "{ status: 429, message: /^request too large for/i, about: 'request' },",
      '',
    ],
  }),
  ...checksOf('refusals', 'plugins/dialects/shared/openai-refusals.ts', account, {
    'a spent balance is the account’s': ["['insufficient_quota', 'credit'],", ''],
    'a model without access is the model’s': [
      "if (status === 403 && error.code === 'model_not_found') return 'model'",
      '',
    ],
  }),
  ...checksOf('refusals', 'plugins/dialects/messages/refusals.ts', request, {
    'a quoted balance of Anthropic is the request’s': ['/^your credit balance', '/credit balance'],
    'a quoted limit of Anthropic is the request’s': ['/^you have reached', '/reached'],
  }),
  ...checksOf('refusals', 'plugins/dialects/shared/google-refusals.ts', request, {
    'a quoted key of Gemini is the request’s': [
      '/^your api key was reported',
      '/api key was reported',
    ],
    'a quoted model of Gemini is the request’s': [
      '/^you do not have permission to access (?:the )?tuned',
      '/permission to access (?:the )?tuned',
    ],
  }),
  ...checksOf('refusals', 'plugins/dialects/messages/refusals.ts', account, {
    'a spent balance of Anthropic is the account’s': [
      "{ message: /^your credit balance is too low/i, about: 'credit' },",
      '',
    ],
  }),
  ...checksOf('refusals', 'src/kit/refusal-subject.ts', account, {
    'callers learn nothing of the account’s credential': [
      "new Set(['model', 'credential', 'credit', 'unclear'])",
      'new Set()',
    ],
    'a 401 is never a caller’s answer': ['&& shown.status !== 401', ''],
  }),
  ...checksOf('refusals', 'src/kit/observe.ts', account, {
    'an error inside a stream is a refusal as well': [
      'fault: about ? faultOfSubject(about) : fault,\n      ...(about && { about }),',
      'fault,',
    ],
  }),
  ...checksOf('refusals', 'src/upstream/json-attempt.ts', account, {
    'a failed reply says something about its account': [
      'return about ? { ...read, outcome: { ...outcome, about, fault: faultOfSubject(about) } } : read',
      'return read',
    ],
  }),
  ...checksOf('refusals', 'src/attempt/attempt.ts', unclear, {
    'an unclear refusal waits for a check': [
      'isUnclear(known) ? await clarify(known, context) : known',
      'known',
    ],
  }),
  ...checksOf('refusals', 'src/upstream/check-account.ts', unclear, {
    'a check ends after a while': ['if (now - this.#startedAt > longestMs)', 'if (false)'],
    'only evidence about the credential counts in a check': [
      "about === 'credential' || about === 'credit' ?",
      'true ?',
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/index.ts', unclear, {
    'a model that never answered may be refused for itself': [
      "return isKnown ? 'request' : 'request-or-model'",
      "return 'request'",
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/index.ts', limits, {
    'a limit cools the model only': [
      "else if (about === 'model-limit') coolDowns.recordLimit(model, pause",
      "else if (about === 'model-limit') coolDowns.recordLimit(undefined, pause",
    ],
    'a sandbox’s directives belong to the model': [
      "account.provider === 'sandbox' && native ?",
      'false ?',
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/standing.ts', unclear, {
    'one key excludes an account for itself only': [
      'return this.exclude({ status, keyId }, now)',
      'return this.exclude({ status }, now)',
    ],
    'two keys exclude it for all': ['if (isOtherKey) return this.exclude({ status }, now)', ''],
  }),
  ...checksOf('refusals', 'plugins/account-health/standing.ts', standing, {
    'refusals far apart say nothing together': [
      'if (now - this.#lastAt > memoryMs) this.#forgetRefusals()',
      '',
    ],
    'earlier calls bring no account back': [
      'exclusion.isConfirmed || now < exclusion.until) return undefined',
      'exclusion.isConfirmed) return undefined',
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/standing.ts', standing, {
    'waits grow': ['Math.min(this.#waitMs * 2, longestWaitMs)', 'firstWaitMs'],
  }),
  ...checksOf('refusals', 'plugins/account-health/exclusions.ts', comingBack, {
    'an account whose key works comes back': [
      "state.whole.restore()\n      log.info('account is back: the upstream accepts it again'",
      "log.info('account is back: the upstream accepts it again'",
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/checks.ts', standing, {
    'checks are rare': ['if (sinceLast < this.#waitMs) return this.#last', ''],
  }),
  ...checksOf('refusals', 'plugins/account-health/exclusions.ts', standing, {
    'an account that has left is checked no more': [" || result === 'gone'", ''],
    'an account is checked without any call': [
      'state.timer = setTimeout(() => recheck(state, candidate), until - now()).unref()',
      'state.timer = setTimeout(() => {}, until - now()).unref()',
    ],
  }),
  ...checksOf('refusals', 'plugins/account-health/answered-models.ts', standing, {
    'two keys end the trust in a model': ['this.#models.delete(model)\n', ''],
  }),
  ...checksOf('refusals', 'src/lib/recent-map.ts', standing, {
    'names take a bounded amount of memory': [
      'if (this.#weight <= this.#generationSize) return',
      'if (this.#weight > 0) return',
    ],
  }),
  ...checksOf('refusals', 'src/attempt/attempt.ts', pinned, {
    'a pinned account without a connection cannot be used': [
      'if (ranking.pinned && wasUnreachable(present.attempt, failure.error)) {',
      'if (false) {',
    ],
  }),
  ...checksOf('refusals', 'src/attempt/perform.ts', pinned, {
    'nor can one that several requests go to': [
      'wasUnreachable(attempt, thrown) ? ranking.unreachableError(thrown) : thrown',
      'thrown',
    ],
  }),
  ...checksOf('refusals', 'src/attempt/account-client.ts', pinned, {
    'nor can one that something is looked up at': [
      'return isKnown && wasUnreachable(attempt, error)',
      'return false',
    ],
  }),
  ...checksOf('refusals', 'src/upstream/attempt-once.ts', hooks, {
    'a failure that hooks swallow is settled': [
      'if (failure && !isKept && !(thrown instanceof AttemptFailure)) {',
      'if (false) {',
    ],
  }),
  ...checksOf('refusals', 'src/upstream/running-attempt.ts', hooks, {
    'a dropped stream does not settle the kept one': [
      'return this.#isReplaced ? undefined : settle(this.#context, outcome)',
      'return settle(this.#context, outcome)',
    ],
  }),
  ...checksOf('refusals', 'src/kit/streamed-choices.ts', hooks, {
    'the choices of a stream are bounded': [
      'if (this.#started.size <= mostChoices) return',
      'return',
    ],
  }),
  ...checksOf('refusals', 'src/jobs/create-video.ts', hooks, {
    'the id of a job is well-formed': [' && id.isWellFormed()', ''],
  }),
  ...checksOf('refusals', 'src/upstream/reply-collector.ts', oddBytes, {
    'an error nested too deeply is text': ['isTooDeep(json) ? undefined : json', 'json'],
  }),
  ...checksOf('refusals', 'src/upstream/failure.ts', oddBytes, {
    'a reply too large is no failure of its account': ["'upstream_reply_too_large',", ''],
  }),
  ...checksOf('refusals', 'src/kit/too-deep.ts', oddBytes, {
    'an event too large is no failure of its account': [
      "new GatewayError('upstream_reply_too_large', message)",
      "new GatewayError('upstream_invalid_reply', message)",
    ],
  }),
  ...checksOf('refusals', 'src/kit/event-json.ts', oddBytes, {
    'an event too large is no broken stream': [
      'error instanceof TooMuchJson ? tooMuchInEvent() : brokenEvent()',
      'brokenEvent()',
    ],
  }),
  ...checksOf('refusals', 'src/kit/models.ts', oddBytes, {
    'a model is well-formed': ['if (!call.model.isWellFormed()) throw notWellFormed()', ''],
  }),
  ...checksOf('refusals', 'src/upstream/tracked-client.ts', interim, {
    'an unasked 100 Continue is skipped': ['skipContinue(socket, connection)', ''],
  }),
  ...checksOf('refusals', 'src/kit/refusal-subject.ts', ['test/errors/long-messages.test.ts'], {
    'the end of a long message says nothing': ['(withStart(refusal))', '(refusal)'],
  }),
  ...checksOf('refusals', 'src/upstream/skip-continue.ts', interim, {
    'only before the head of a reply': ['connection.awaitsHead = false\n', ''],
    'interim replies without an end are not skipped': [' || skipped === mostReplies', ''],
    'interim replies are counted for each request': ['    skipped = 0\n', ''],
  }),
]
