import { checksOf } from '../mutation.ts'

const grace = ['test/stores/key-grace.test.ts']
const keys = ['test/admin/keys.test.ts']
const aliases = ['test/admin/aliases.test.ts']
const models = ['test/admin/models.test.ts']
const audit = ['test/admin/audit.test.ts']
const killed = ['test/admin/killed.test.ts']

/** Keys, aliases, models and the audit log of the admin API. */
export const adminKeyChecks = [
  ...checksOf('admin', 'src/stores/key-ring.ts', grace, {
    'a former secret ends': ['if (until !== undefined && until <= Date.now())', 'if (false)'],
    'uses of revoked keys do not count': ['if (isUsable(entry.key)) uses', 'uses'],
  }),
  ...checksOf('admin', 'src/stores/keys.ts', grace, {
    'a rotation without grace leaves no former secret': [
      '...(graceMs > 0 && { previous })',
      'previous',
    ],
    'a revocation forgets the former secret': [
      'return { ...rest, revokedAt',
      'return { ...known, disabled: true, revokedAt',
    ],
    'a former secret must be readable': [
      '(key.previous === undefined || isFormerSecret(key.previous)) &&',
      '',
    ],
    'a change needs the version that was read': ["throw new KeyConflict('changed', id)", ''],
  }),
  ...checksOf('admin', 'src/stores/keys.ts', keys, {
    'an expired key is not rotated': ["throw new KeyConflict('expired', id)", 'void now'],
  }),
  ...checksOf('admin', 'src/admin/keys.ts', keys, {
    'a key of the file is not changed': [
      'if (index < 0) return undefined',
      'if (index < 1e9) return undefined',
    ],
    'a key expires in the future': ['input.expiresAt <= now', 'false'],
    'the names of models have a limit': ['name.length > longestModel', 'false'],
  }),
  ...checksOf('admin', 'src/admin/schema/key-acts.ts', keys, {
    'a grace period has a limit': [
      'if (seconds < 0 || seconds > longestGraceSeconds) return invalid([badGrace])',
      '',
    ],
  }),
  ...checksOf('admin', 'src/accounts/stored-aliases.ts', aliases, {
    'the file wins over stored aliases': [
      '{ ...stored, ...configured }',
      '{ ...configured, ...stored }',
    ],
    'stored aliases of a circle are left out': [
      'for (const one of circle.filter(isStored)) delete merged[one]',
      '',
    ],
  }),
  ...checksOf('admin', 'src/stores/aliases.ts', aliases, {
    'a damaged alias does not exist': ["typeof alias.model === 'string' &&", ''],
    'an alias has the version that was read': [
      'written = isExpected(version) ? next(version + 1, kept) : undefined',
      'written = next(version + 1, kept)',
    ],
    'an alias keeps what another operator changes meanwhile': [
      'const reply = replyModel === undefined ? kept : replyModel',
      'const reply = replyModel',
    ],
  }),
  ...checksOf('admin', 'src/admin/aliases.ts', aliases, {
    'an alias of the file is not changed': [
      '  if (Object.hasOwn(accounts.configured.aliases, name)) return fileHas(services, name)\n',
      '',
    ],
    'no circle of aliases': ['if (circles.length > 0) return', 'if (false) return'],
    'no alias of an unknown model': ['if (hasModel(running, way.end))', 'if (true)'],
    'an alias has the name of a model': ['if (badNames.length > 0) return badNames', ''],
    'an alias that others need stays': ['if (needing.length > 0 && ', 'if (false && '],
  }),
  ...checksOf('admin', 'src/admin/schema/models.ts', models, {
    'a search is short': ['(search?.length ?? 0) <= longestSearch', 'true'],
  }),
  ...checksOf('admin', 'src/admin/models.ts', models, {
    'a search is a beginning': ['if (!name.startsWith(search)) break', ''],
    'patterns lead to accounts': ['if (matches(model)) sources.push(pattern)', ''],
  }),
  ...checksOf('admin', 'src/admin/list-page.ts', audit, {
    'a filter reads a bounded part': [' && read < mostRead', ''],
    'a short page leads on': [
      'isFull || isEnd ? edges.at(-1)?.cursor : last',
      'edges.at(-1)?.cursor',
    ],
  }),
  ...checksOf('admin', 'src/admin/builder.ts', audit, {
    'a refused act is recorded': ['context.refused.push(refusalOf(context, info))', ''],
  }),
  ...checksOf('admin', 'src/admin/http/who.ts', audit, {
    'a refused credential is recorded': [
      'await noteRefusedEntry(refusals, visit, who.refusal)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/refusals.ts', audit, {
    'refusals of one source share a record': ['groups.get(key) ?? open', 'undefined ?? open'],
    'refusals of many sources share a record': ['sizes[kind] >= mostRecords', 'false'],
  }),
  ...checksOf('admin', 'src/audit/log.ts', audit, {
    'records follow one another': [
      'const appended = queue.then(async () => {',
      'const appended = Promise.resolve().then(async () => {',
    ],
    'every record is in the log': ['    onRecord?.(sealed)\n', ''],
  }),
  ...checksOf('admin', 'src/audit/log.ts', killed, {
    'the record is written before the act': [
      "const entry = await append({ ...act, result: 'STARTED' })",
      "const entry = { ...act, id: auditId(now()), at: now(), result: 'STARTED' as const }",
    ],
  }),
  ...checksOf('admin', 'src/admin/export-audit.ts', audit, {
    'few exports run at once': ['running.size >= mostExports', 'false'],
    'a bad time is refused': ['if (!range) return', 'if (!range && response.closed) return'],
  }),
  ...checksOf('stores', 'src/stores/redis/store.ts', ['test/stores/redis-expired-ids.test.ts'], {
    'expired ids leave the index': [
      'forget(ids.filter((_, position) => envelopes[position] === undefined))',
      '',
    ],
  }),
  ...checksOf('stores', 'src/stores/redis/scripts.ts', ['test/stores/redis-expired-ids.test.ts'], {
    'an id of a record that lives stays': [
      "if redis.call('EXISTS', KEYS[position + 1]) == 0 then redis.call('ZREM', KEYS[1], id) end",
      "redis.call('ZREM', KEYS[1], id)",
    ],
  }),
  ...checksOf('admin', 'src/cli/audit/act.ts', ['test/cli/audit.test.ts'], {
    'a failed command is recorded': [
      "await end({ result: 'FAILED', message }).catch(() => {})",
      '',
    ],
  }),
]
