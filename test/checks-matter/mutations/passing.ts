import { checksOf } from '../mutation.ts'

const slashes = ['test/model/models-with-slashes.test.ts']
const names = ['test/requests/names-in-paths.test.ts']
const parts = ['test/upstream/partial-replies.test.ts']
const secrets = ['test/secrets/text.test.ts']
const media = ['test/secrets/media.test.ts']
const actions = ['test/errors/unknown-actions.test.ts']
const written = ['test/configuration/load.test.ts']

/** What passes between a client and an account: names in paths, headers, queries, secrets. */
export const passingChecks = [
  ...checksOf('errors', 'src/kit/disclosures.ts', ['test/errors/secrets.test.ts'], {
    'a host is found in any case': [
      "new RegExp(places.join('|'), 'gi')",
      "new RegExp(places.join('|'), 'g')",
    ],
  }),
  ...checksOf('errors', 'src/kit/disclosures.ts', secrets, {
    'a key is found in base64': ['plain.flatMap(inBase64).map(eitherBase64)', '[] as string[]'],
    'a key is found in any encoding': [
      '[...plain.map(inAnyForm), ...encoded]',
      '[...plain.map((text) => RegExp.escape(text)), ...encoded]',
    ],
    'a key is found in HTML': ['|${inUrl}|${inHtml})', '|${inUrl})'],
    'a key is found in a URL within a URL': ['%(?:25){0,4}', '%'],
    'a base path is found': ['...pathsOf(basePath)]\n', ']\n'],
    'a port is found': ["...(port === '' ? [] : [`(?<=", "...(port !== '-' ? [] : [`(?<="],
  }),
  ...checksOf('errors', 'src/exchange/headers.ts', secrets, {
    'headers that pass disclose nothing': [
      "redactHeader(Array.isArray(value) ? value.join(', ') : value, account)",
      "Array.isArray(value) ? value.join(', ') : value",
    ],
  }),
  ...checksOf('videos', 'src/exchange/headers.ts', media, {
    'headers of files disclose nothing': [
      'passed[name] = redactHeader(value, account)',
      'passed[name] = value',
    ],
  }),
  ...checksOf('errors', 'src/kit/redact.ts', secrets, {
    'the media type of an error discloses nothing': [
      "name === 'location' ? value : redactHeader(value, account)",
      'value',
    ],
    'a whole reply holds no key': [
      "typeof reply === 'string' ? reply.includes(secret) : includesText(reply, secret)",
      'false',
    ],
  }),
  ...checksOf('errors', 'src/upstream/json-attempt.ts', secrets, {
    'a failed result discloses nothing': [
      'isFailure && body ? this.#withoutPlaces(body, reply) : body',
      'body',
    ],
  }),
  ...checksOf('errors', 'plugins/dialects/responses/by-id.ts', ['test/secrets/stored.test.ts'], {
    'a stored failure discloses nothing': ['reportsFailure: explainsEnd,', ''],
  }),
  ...checksOf('errors', 'src/kit/reported-failure.ts', secrets, {
    'a cut answer keeps its words': [
      "status === 'failed' || status === 'cancelled'",
      "status !== 'completed'",
    ],
    'a failure is told without addresses': ["status === 'failed' ||", ''],
    'a cancelled response is told without addresses': ["|| status === 'cancelled'", ''],
  }),
  ...checksOf('errors', 'plugins/dialects/responses/outcome.ts', secrets, {
    'a reason in words discloses nothing': ['!reasonCode.test(reason)', 'false'],
    'the code of a reason is no such words': ['!reasonCode.test(reason)', 'true'],
  }),
  ...checksOf('errors', 'src/kit/observe.ts', secrets, {
    'a failed stream discloses nothing': [
      'return this.#withoutDisclosures(found, frame, event)',
      'return found',
    ],
  }),
  ...checksOf('errors', 'plugins/dialects/generate/outcome.ts', secrets, {
    'a blocked prompt discloses nothing': ["objectAt(json, 'promptFeedback') !== undefined ||", ''],
    'a message about an end discloses nothing': [
      'finishMessage !== undefined',
      'finishMessage === 0',
    ],
  }),
  ...checksOf('errors', 'plugins/dialects/generate/observer.ts', secrets, {
    'frames without disclosures reach the client': ['observation.bytes ??', ''],
  }),
  ...checksOf('errors', 'plugins/dialects/chat/outcome.ts', secrets, {
    'a filtered answer discloses nothing': ['!ordinaryReasons.has(reason)', 'false'],
  }),
  ...checksOf('errors', 'plugins/dialects/messages/outcome.ts', secrets, {
    'a refusal discloses nothing': ["objectAt(message, 'stop_details') !== undefined", 'false'],
  }),
  ...checksOf('errors', 'src/translate/encoded-reply.ts', secrets, {
    'a translated refusal discloses nothing': ['this.#refusals.clean(event)', 'event'],
  }),
  ...checksOf('streams', 'src/upstream/json-attempt.ts', parts, {
    'a part is no answer': [
      'if (!isWhole(status) && !(status === 204 && this.#mayBeEmpty())) throw notAnAnswer(status)',
      '',
    ],
    'a deletion may be answered without content': [
      ' && !(status === 204 && this.#mayBeEmpty())',
      '',
    ],
  }),
  ...checksOf('streams', 'src/upstream/reply-framing.ts', parts, {
    'a part is no stream': ['if (!isWhole(status)) throw notAnAnswer(status)', ''],
  }),
  ...checksOf('requests', 'src/kit/models.ts', names, {
    'a model in a body obeys the rule of paths': [
      'if (!isModelName(call.model)) throw unknownModel(call.model)',
      '',
    ],
  }),
  ...checksOf('requests', 'src/kit/account-path.ts', names, {
    'a value stays in its segment': ['if (!segments.every(isSegment)) throw unfit(value)', ''],
    'dots are no segment': [' && !onlyDots.test(text)', ''],
    'a name is checked as a hop may normalise it': [" || !isPlain(decoded.normalize('NFKC'))", ''],
    'a name is checked as hops may decode it': [
      "if (!decoded.includes('%')) return true",
      'return true',
    ],
    'names of models have an end': ['segments.length <= mostSegments && ', ''],
  }),
  ...checksOf('requests', 'src/kit/unfit-model.ts', slashes, {
    'a configured name of a model is not the fault of a request': [
      'if (!isConfigured || unfit === undefined) return thrown',
      'return thrown',
    ],
  }),
  ...checksOf('requests', 'src/kit/account-path.ts', slashes, {
    'an encoded slash for a dialect that does not say so': [
      "path.split(encodesSlashes ? /\\/|%2f/i : '/')",
      'path.split(/\\/|%2f/i)',
    ],
  }),
  ...checksOf('requests', 'src/accounts/base-url.ts', ['test/third-party/climbing-paths.test.ts'], {
    'a path of any dialect is checked': ['checkedPath(path, upstream)', 'path'],
  }),
  ...checksOf('videos', 'plugins/dialects/videos/codec.ts', names, {
    'the id of a video is one segment': [' || !isSegment(upstreamId)', ''],
  }),
  ...checksOf('requests', 'src/exchange/routes.ts', actions, {
    'an action that is read is no model': ['actionOfOthers(match, path) ?? match', 'match'],
    'a colon may be encoded': ["path.replace(/%3a/gi, ':')", 'path'],
  }),
  ...checksOf('requests', 'plugins/models.ts', actions, {
    'an unknown action that is read is no model': [
      'if (action && !snapshot.modelNames.includes(requested)) throw unknownAction(action)',
      '',
    ],
  }),
  ...checksOf('errors', 'src/configuration/import-errors.ts', written, {
    'the syntax errors of modules quote nothing': [
      '${withoutQuotes(cause.message)}',
      '${cause.message}',
    ],
    'an unquoted secret is not named': ['withoutSecretName(cause.message)', 'cause.message'],
  }),
  ...checksOf('errors', 'src/configuration/resolve.ts', ['test/configuration/resolve.test.ts'], {
    'the address of a schema is a text': ["part('$schema', shape.$schema)", ''],
  }),
]
