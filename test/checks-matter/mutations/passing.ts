import { checksOf } from '../mutation.ts'

const names = ['test/requests/names-in-paths.test.ts']
const parts = ['test/upstream/partial-replies.test.ts']
const actions = ['test/errors/unknown-actions.test.ts']
const written = ['test/configuration/load.test.ts']

/** What passes between a client and an account: names in paths, headers, queries, secrets. */
export const passingChecks = [
  ...checksOf('streams', 'src/upstream/json-attempt.ts', parts, {
    'a part is no answer': [
      'if (!isWhole(status) && !(status === 204 && this.#mayBeEmpty())) throw notAnAnswer(status)',
      '',
    ],
    'nothing is an answer to a deletion alone': [' && this.#mayBeEmpty())', ')'],
    'a deletion may be answered without content': [
      ' && !(status === 204 && this.#mayBeEmpty())',
      '',
    ],
  }),
  ...checksOf('streams', 'src/upstream/stream-relay.ts', parts, {
    'a part is no stream': ['if (!isWhole(status)) throw notAnAnswer(status)', ''],
  }),
  ...checksOf('requests', 'src/kit/models.ts', names, {
    'a model in a body obeys the rule of paths': [' || !isModelName(call.model)', ''],
  }),
  ...checksOf('requests', 'src/kit/account-path.ts', names, {
    'a value stays in its segment': ['if (!segments.every(isSegment)) throw unfit()', ''],
    'dots are no segment': [' && !onlyDots.test(text)', ''],
    'a name is checked as a hop may normalise it': [" && isPlain(text.normalize('NFKC'))", ''],
    'names of models have an end': ['segments.length <= mostSegments && ', ''],
  }),
  ...checksOf('requests', 'src/accounts/base-url.ts', ['test/third-party/climbing-paths.test.ts'], {
    'a path of any dialect is checked': ['checkedPath(path)', 'path'],
  }),
  ...checksOf('videos', 'plugins/dialects/videos/codec.ts', names, {
    'the id of a video is one segment': ['isSegment(upstreamId) && ', ''],
  }),
  ...checksOf('requests', 'plugins/dialects/responses/by-id.ts', names, {
    'the id of an item is one segment': ['if (isSegment(item)) return', 'if (item) return'],
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
