import { checksOf } from '../mutation.ts'

const turns = ['test/admin/turns.test.ts']
const many = ['test/accounts/many.test.ts']
const memory = ['test/stores/memory.test.ts']
const index = ['test/stores/redis-index.test.ts']

/** Long lists of the admin API, and what changes of ten thousand accounts leave to streams. */
export const adminPageChecks = [
  ...checksOf('admin', 'src/admin/accounts/find.ts', turns, {
    'pages: accounts are found in turns': [
      'map.set(item.id, item)\n    if (turns.isOver) await turns.next()',
      'map.set(item.id, item)',
    ],
    'pages: a filter of accounts has turns': [
      '=== state))\n    if (turns.isOver) await turns.next()',
      '=== state))',
    ],
    'pages: a filter examines accounts in parts': [
      "const lookAt = all ? statesAtOnce : typeof provider === 'string' ? lookAtOnce : limit",
      'const lookAt = Infinity',
    ],
    'pages: a filter by state examines few accounts at once': ['all ? statesAtOnce', 'all ? 100'],
    'pages: the accounts of a snapshot are found once': ['indexes.set(snapshot, index)', ''],
    'pages: an account is described once': ['if (view) views.set(id, view)', ''],
  }),
  ...checksOf('admin', 'src/admin/accounts/standing.ts', turns, {
    'pages: what keeps accounts of a page out is read in turns': [
      'return line.do(() => {',
      'return (async (work: () => AccountStanding) => work())(() => {',
    ],
  }),
  ...checksOf('admin', 'src/configuration/with-store.ts', turns, {
    'pages: settings are merged in turns': [
      "origin: 'STORE' })\n    if (turns.isOver) await turns.next()",
      "origin: 'STORE' })",
    ],
  }),
  ...checksOf('admin', 'src/configuration/with-store.ts', ['test/admin/configuration.test.ts'], {
    'pages: merged settings follow the store': ['known?.changes === changes', 'known'],
    'pages: settings are merged once': ['known?.changes === changes', 'false'],
  }),
  ...checksOf('admin', 'src/configuration/in-use.ts', turns, {
    'reload: settings are described in turns': [
      'all.push(one)\n      if (turns.isOver) await turns.next()',
      'all.push(one)',
    ],
    'reload: settings are hashed in turns': [
      'hash.update(JSON.stringify([path, value]))\n    if (turns.isOver) await turns.next()',
      'hash.update(JSON.stringify([path, value]))',
    ],
    'reload: no page waits for the description': [
      'prepared?.of === next ? prepared.described : undefined',
      'undefined',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/record.ts', turns, {
    'pages: heartbeats are read in turns': ['if (turns.isOver) await turns.next()', ''],
  }),
  ...checksOf('admin', 'src/stores/keyv-records.ts', turns, {
    'pages: a list is read in turns': [
      'value: readAtOnce(envelope) as T | undefined })\n        if (turns.isOver) await turns.next()',
      'value: readAtOnce(envelope) as T | undefined })',
    ],
  }),
  ...checksOf('admin', 'src/runtime/stored-accounts.ts', turns, {
    'a change of stored accounts is read in turns': [
      'if (!turns.isOver && !all) continue',
      'if (!all) continue',
    ],
    'credentials that move meanwhile are read again': [
      'if (of !== access) [steps, of] = [readAll(true), access]',
      '',
    ],
  }),
  ...checksOf('admin', 'src/attempt/explain.ts', turns, {
    'explain: candidates are sorted once': [
      'const candidate = ranking.next()',
      'ranking.chances()\n    const candidate = ranking.next()',
    ],
  }),
  ...checksOf('admin', 'src/route/choose.ts', turns, {
    'explain: a candidate that declines costs no list of the others': [
      'let index = -1\n',
      'let index = ranked.map(weightOf).length > 0 ? -1 : 0\n',
    ],
  }),
  ...checksOf('admin', 'src/route/choose.ts', ['test/routing/candidate-queue.test.ts'], {
    'many candidates are ordered once': ['if (this.#searches < mostSearches) {', 'if (true) {'],
    'many candidates are ordered by weight': [') / weightOf(one) }', ') }'],
    'candidates of one rank are ordered by chance': [' || right.time - left.time', ''],
  }),
  ...checksOf('admin', 'plugins/models.ts', ['test/accounts/many-models.test.ts'], {
    'a long list of models is made in turns': ['if (turns.isOver) await turns.next()', ''],
  }),
  ...checksOf('admin', 'src/accounts/snapshot.ts', ['test/accounts/many-models.test.ts'], {
    'no account is asked for each of many models': [
      'const serves = lazily(() => remember(indexNames(enabled)))',
      'const serves = (name: string) => enabled.some(({ models }) => models.upstreamName(name) !== undefined)',
    ],
  }),
  ...checksOf('admin', 'src/accounts/pools.ts', ['test/accounts/many-names.test.ts'], {
    'names that many accounts match take a bounded amount of memory': [
      'for (const { length } of pools.values()) weight += length',
      '',
    ],
  }),
  ...checksOf('admin', 'src/accounts/caller-pools.ts', ['test/accounts/caller-pools.test.ts'], {
    'a scope looks at many accounts once': ['pools.set(snapshot, known)', ''],
  }),
  ...checksOf('admin', 'src/accounts/patterns.ts', ['test/accounts/overlap.test.ts'], {
    'patterns overlap by their ends': [
      '(one.last.endsWith(other.last) || other.last.endsWith(one.last))',
      'true',
    ],
  }),
  ...checksOf('admin', 'src/attempt/attempt.ts', ['test/routing/many-decline.test.ts'], {
    'many accounts decline a call in turns': [
      'if (++declined % declinedPerTurn === 0)',
      'if (false)',
    ],
  }),
  ...checksOf('admin', 'src/attempt/perform.ts', ['test/routing/many-decline.test.ts'], {
    'many accounts decline an operation in turns': [
      'if (declined % declinedPerTurn === 0)',
      'if (false)',
    ],
    'nobody serves an operation whose client has left': [
      'if (isAbandoned(routed)) throw abandonedAttempt().error',
      '',
    ],
  }),
  ...checksOf('admin', 'src/accounts/renewal.ts', many, {
    'a change of accounts takes effect in turns': ['if (turns.isOver) await turns.next()', ''],
    'a change that comes while another takes effect is part of it': [
      'if (isOutdated) steps = begin()',
      '',
    ],
  }),
  ...checksOf('admin', 'src/accounts/compile.ts', many, {
    'an account that stays is not compiled': ['if (before) return before', ''],
  }),
  ...checksOf('admin', 'src/configuration/sections.ts', turns, {
    'pages: settings are sorted into sections in turns': [
      'entryOf(one.path), one)\n    if (turns.isOver) await turns.next()',
      'entryOf(one.path), one)',
    ],
  }),
  ...checksOf('admin', 'src/lib/steps.ts', turns, {
    'pages: work in steps has turns': ['if (turns.isOver) await turns.next()', ''],
  }),
  ...checksOf('admin', 'src/accounts/live.ts', turns, {
    'a reload compiles accounts in turns': [
      'dialects)\n      if (turns.isOver) await turns.next()',
      'dialects)',
    ],
  }),
  ...checksOf('admin', 'src/stores/account-states.ts', turns, {
    'states of accounts are read in turns': [
      'why.set(record.id, reason)\n        if (turns.isOver) await turns.next()',
      'why.set(record.id, reason)',
    ],
  }),
  ...checksOf('admin', 'src/accounts/live.ts', many, {
    'an account that stays disabled is not compiled': ['known.set(account, off)', ''],
  }),
  ...checksOf('admin', 'src/accounts/snapshot.ts', many, {
    'names that go are not listed': [
      'if (names.delete(name)) kept.push(name)',
      'if (names.delete(name) || true) kept.push(name)',
    ],
    'names that come have their places': [
      'while (next < other.length && other[next]! < name)',
      'while (false)',
    ],
  }),
  ...checksOf('kept', 'src/stores/sorted-ids.ts', memory, {
    'memory: a new record has its place in a list': [
      'sorted?.splice(placeOf(sorted, id), 0, id)',
      'sorted?.push(id)',
    ],
    'memory: a deleted record is in no list': ['sorted.splice(place, 1)', 'sorted.at(0)'],
    'memory: lists are in the order of bytes': [
      'ids.toSorted(byBytes) : ids.toSorted()',
      'ids.toSorted() : ids.toSorted()',
    ],
    'memory: a page begins behind its cursor': ['(ids[place] === after ? 1 : 0)', '0'],
  }),
  ...checksOf('kept', 'src/stores/redis/store.ts', index, {
    'Redis: a page is read in one command': [
      'const envelopes = await readListed(ids)',
      'const envelopes = await getMany(ids)',
    ],
    'Redis: a record of another type is listed': [
      'text(value) ?? (await get(ids[position] as string))',
      'text(value) ?? ids[position + ids.length]',
    ],
  }),
]
