import { checksOf } from '../mutation.ts'

const ring = ['test/admin/token-ring.test.ts']
const tokens = ['test/admin/tokens.test.ts']
const last = ['test/admin/last-administrator.test.ts']
const roles = ['test/admin/roles.test.ts']
const configuration = ['test/configuration/admin.test.ts']
const command = ['test/cli/admin-tokens.test.ts']
const gateway = ['test/cli/admin-api.test.ts']

/** Who may use the admin API. */
export const adminTokenChecks = [
  ...checksOf('admin', 'src/admin/token-ring.ts', ring, {
    'a secret of an admin token is compared': [
      'if (timingSafeEqual(entry.digest, digest)) found = entry',
      'found = entry',
    ],
    'an empty secret is no token': ['return secret ? found : undefined', 'return found'],
    'a revoked token is none': ['revokedAt === undefined && ', ''],
    'a token expires at its very moment': [
      '(token.expiresAt ?? Infinity) > now()',
      '(token.expiresAt ?? Infinity) >= now()',
    ],
    'a session ends with its token': [
      'if (!entry || !isValid(entry)) return undefined\n      return {',
      'if (!entry) return undefined\n      return {',
    ],
    'a reload replaces tokens': ['if (latest !== configured) {', 'if (false) {'],
    'a configured token wins over a stored one': [
      'if (found?.isStored && own.some',
      'if (!found && own.some',
    ],
    'the use of a token is written once a minute': ['if (at - last < usePauseMs) return', ''],
    'a damaged token is named': ['onUnreadable(ids)', 'ids.join()'],
  }),
  ...checksOf('admin', 'src/stores/admin-tokens.ts', ring, {
    'a token is of its id': ['token.id === id &&', ''],
    'a token has a known role': ['roles.some((role) => role === token.role) &&', ''],
    'a token has an end': ['isTime(token.expiresAt) &&', ''],
    'a damaged revocation is damage': [
      '(token.revokedAt === undefined || isTime(token.revokedAt))',
      'true',
    ],
    'a damaged token is not revoked': [
      'if (!isAdminToken(known, id)) throw new UnreadableRecord()',
      '',
    ],
    'a token lives 90 days': [
      'expiresAt: expiresAt ?? now + adminTokenLifeMs',
      'expiresAt: expiresAt ?? 9e12',
    ],
  }),
  ...checksOf('admin', 'src/admin/authenticate.ts', tokens, {
    'while the store is away, a token is not called wrong': [
      'if (tokens.isStale) {',
      'if (false) {',
    ],
    'only the scheme Bearer has tokens': ['/^Bearer +', '/^\\w+ +'],
  }),
  ...checksOf('admin', 'src/admin/tokens.ts', last, {
    'the last administrator stays': ['if (isLastAdmin(services, known, others)) {', 'if (false) {'],
    'an expired administrator is none': [
      "role === 'admin' && state === 'ACTIVE'",
      "role === 'admin'",
    ],
    'an operator is no administrator': [
      "role === 'admin' && state === 'ACTIVE'",
      "state === 'ACTIVE'",
    ],
    'of two revocations at once the later one knows of the other': [
      ' && !earlier.has(token.id)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/stores/revocations.ts', last, {
    'a revocation that died is over at last': ['Math.abs(announced.at - at) < longestMs', 'true'],
    'a revocation that died counts for a while': [
      'Math.abs(announced.at - at) < longestMs',
      'false',
    ],
    'a revocation that has ended does not count': [
      'announcedIn(known).filter((one) => one.by !== by)',
      'announcedIn(known)',
    ],
  }),
  ...checksOf('admin', 'src/admin/tokens.ts', tokens, {
    'tokens: an expired token is not said to be valid': ['if (expiresAt <= now) {', 'if (false) {'],
    'no one grants a role above their own': [
      'if (!isAtLeast(creator.role, role)) {',
      'if (false) {',
    ],
    'a new token ends in the future': [
      'expiresAt <= now\n  const expected',
      'false\n  const expected',
    ],
    'the id of a token has a form': ['identifier.safeParse(id).success', 'true'],
    'a token of the environment is not changed': [
      'if (id === environmentTokenId) {',
      'if (false) {',
    ],
    'a token of the file is not changed': [
      'if (index < 0) return undefined',
      'if (index < 1e9) return undefined',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/admin-tokens.ts', roles, {
    'operators create no tokens': [
      "role: 'admin',\n    action: 'admin-token.create'",
      "role: 'operator',\n    action: 'admin-token.create'",
    ],
    'operators revoke no tokens': [
      "role: 'admin',\n    action: 'admin-token.revoke'",
      "role: 'operator',\n    action: 'admin-token.revoke'",
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/accounts.ts', roles, {
    'a type without a decision is found': [
      "never returned.',\n    authScopes,",
      "never returned.',",
    ],
  }),
  ...checksOf('admin', 'src/admin/builder.ts', roles, {
    'a page without a decision is found': [
      'defaultEdgeTypeOptions: { authScopes: { viewer: true } },',
      '',
    ],
  }),
  ...checksOf('admin', 'src/configuration/check-admin.ts', configuration, {
    'a token cannot be guessed': ['if (secret.length < shortestSecret) {', 'if (false) {'],
    'the place of a token is no token': [
      'resolveSecret(setting, variable, environment, problems)',
      'resolveSecret(`env:${variable}`, variable, environment, problems)',
    ],
    'a key is no admin token': ['if (twin) problems.push(', 'if (false) problems.push('],
    'the id of the environment is taken': [
      'if (input?.id === environmentTokenId) problems.push(reservedId(path))',
      '',
    ],
    'an id of a token is given once': ["problems.push(...repeatedIds('admin.tokens', tokens))", ''],
  }),
  ...checksOf('admin', 'src/configuration/shape.ts', configuration, {
    'the place of a token may contain a secret': [
      '(?:keys|accounts|admin\\.tokens|plugins)(?:',
      '(?:keys|accounts|plugins)(?:',
    ],
    'the place of the admin address may contain a secret': ['|^admin$', ''],
    'a role may be a secret': [
      '(?:(?:keys|accounts|admin\\.tokens)\\[|',
      '(?:(?:keys|accounts)\\[|',
    ],
  }),
  ...checksOf('admin', 'src/admin/tokens.ts', command, {
    'the refusal of an id says that its token is revoked': [
      'if (revokedAt !== undefined) {\n    return `',
      'if (false) {\n    return `',
    ],
  }),
  ...checksOf('admin', 'src/cli/admin-tokens/change.ts', command, {
    'the command changes no token of the file': [
      '  if (token) {\n    throw',
      '  if (false) {\n    throw',
    ],
  }),
  ...checksOf('admin', 'src/cli/admin-tokens/first-token.ts', gateway, {
    'a public admin address wants a token': [
      'if (problems.length > 0) throw new ConfigurationError(problems)',
      '',
    ],
    'a first token is created once': [
      'if (stored.length > 0) return describeStored(stored, settings, options)',
      '',
    ],
    'with a configured token, none is created': [
      "if ((settings.adminTokens ?? []).length > 0) return ''",
      '',
    ],
  }),
  ...checksOf('admin', 'src/cli/server.ts', gateway, {
    'where it is off, the admin API is not loaded': [
      'settings.admin && (await import(',
      '(await import(',
    ],
    'a reload reaches the admin tokens': [
      'settings: () => inUse.settings',
      'settings: () => settings',
    ],
  }),
]
