import { checksOf } from '../mutation.ts'

const guesses = ['test/admin/http/guesses.test.ts']
const streams = ['test/admin/http/streams.test.ts']
const acts = ['test/admin/acts.test.ts']
const answers = ['test/admin/binding-answers.test.ts']
const clashes = ['test/cli/clashes.test.ts']
const shown = ['test/admin/clashes.test.ts']
const commands = ['test/cli/audit.test.ts']

const who = 'src/admin/http/who.ts'

/** Who is let in, what an act leaves behind, and what the file and the store both have. */
export const adminDoorChecks = [
  ...checksOf('auth', who, guesses, {
    'guesses: an address waits': ['if (wait > 0) return { refusal: tooManyGuesses(wait) }', ''],
    'guesses: a valid token passes': ['if (known) return { principal: known }', ''],
    'guesses: what proves something is none': [
      'if (!isWrong) guesses.giveBack(network)',
      'if (isWrong) guesses.giveBack(network)',
    ],
    'guesses: a valid session passes': ['!(await sessions.knows(cookie))', 'true'],
    'guesses: cookies that wait read no store': [' || !(await sessions.knows(cookie))', ''],
    'guesses: those that wait are recorded too': [' && status !== 429', ''],
  }),
  ...checksOf('auth', 'src/admin/sessions.ts', guesses, {
    'guesses: a process learns the sessions of others': [
      'if (!known.has(seen)) await known.learn()\n',
      '',
    ],
  }),
  ...checksOf('auth', 'src/admin/known-sessions.ts', guesses, {
    'guesses: a process learns once in two seconds': [
      'learning || performance.now() - learntAt < learnPauseMs',
      'false',
    ],
  }),
  ...checksOf('auth', who, streams, {
    'guesses: none keeps a stream of a former token': [
      "if (as === 'watch') return whoIs(await authenticate(request, 'latest'))\n",
      '',
    ],
  }),
  ...checksOf('auth', 'src/admin/authenticate.ts', guesses, {
    'guesses: one that waits reads no store': [" || among === 'known'", ''],
  }),
  ...checksOf('admin', 'src/admin/act.ts', acts, {
    'an act that is done is answered as done': [
      'context.unrecorded.push(name)\n',
      "return failureOf(error, 'unrecorded')\n",
    ],
    'an act without the record of its result says so': ['context.unrecorded.push(name)\n', ''],
  }),
  ...checksOf('admin', 'src/admin/keys.ts', acts, {
    'a new secret is not lost for the last use of its key': [
      '.catch(() => [withUse(services, view, 0)])',
      '',
    ],
  }),
  ...checksOf('walks', 'src/admin/binding-answers.ts', answers, {
    'an answer is one about the key': [
      'const caller = { keyId, ',
      "const caller = { keyId: 'mine', ",
    ],
    'a call that has a model asks with one': ['anyModel(services, binding?.account)', "''"],
    'each dialect has an answer': ['`${asking.use} ${asking.route.dialect.id}`', '`${asking.use}`'],
  }),
  ...checksOf('admin', 'src/cli/clashes.ts', clashes, {
    'a clash of a key is named': [
      '...idsOfBoth(keys).map((id) => clash(`keys.${id}`, revokeIt)),',
      '',
    ],
    'a clash of an admin token is named': [
      '...idsOfBoth(tokens).map((id) => clash(`admin.tokens.${id}`, revokeIt)),',
      '',
    ],
    'a clash of an alias is named': [
      '.filter((name) => Object.hasOwn(aliases, name))',
      '.slice(0, 0)',
    ],
    'what is revoked clashes with nothing': [" && state === 'active'", ''],
  }),
  ...checksOf('admin', 'src/admin/keys.ts', shown, {
    'a key that the file and the store have says so': ["stored?.state === 'ACTIVE'", 'false'],
    'a revoked key clashes with nothing': ["stored?.state === 'ACTIVE'", 'stored'],
  }),
  ...checksOf('admin', 'src/admin/tokens.ts', shown, {
    'an admin token that the file and the store have says so': [
      "twin?.state === 'ACTIVE'",
      'false',
    ],
    'a revoked admin token clashes with nothing': ["twin?.state === 'ACTIVE'", 'twin'],
  }),
  ...checksOf('admin', 'src/cli/audit/act.ts', commands, {
    'a command that changes the store is recorded': [
      'const end = await createAuditLog({ store }).begin(begun)\n  let result',
      'const end = async (_end: object) => {}\n  let result',
    ],
  }),
]
