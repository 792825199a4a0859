import { checksOf } from '../mutation.ts'

const headers = [
  'test/account-settings/headers.test.ts',
  'test/configuration/account-headers.test.ts',
]
const slots = ['test/account-settings/max-concurrent.test.ts']
const timeouts = ['test/account-settings/timeouts.test.ts']
const proxies = ['test/account-settings/proxies.test.ts']
const connections = ['test/configuration/account-connection.test.ts']
const bounds = ['test/configuration/resolve.test.ts']

/** Settings of an account for its requests: headers, deadlines, calls at once, proxies, certificates. */
export const accountSettingChecks = [
  ...checksOf('connections', 'src/upstream/outbound.ts', headers, {
    'way: an account gets its headers': [
      'if (account.headers) Object.assign(headers, account.headers)',
      '',
    ],
  }),
  ...checksOf('connections', 'src/accounts/replaced-credentials.ts', headers, {
    'way: a header does not replace the credential': [
      '.filter((name) => carriers.has(name))',
      '.filter(() => false)',
    ],
  }),
  ...checksOf('errors', 'src/kit/redact.ts', headers, {
    'way: a secret header is in no reply': [
      'return secrets?.some((secret) => contains(reply, secret)) ?? false',
      'return false',
    ],
  }),
  ...checksOf('connections', 'src/configuration/account-schema.ts', bounds, {
    'way: weights have a sum': ['.max(greatestWeight)', ''],
    'way: a weight is a share': ['.min(leastWeight)', '.positive()'],
  }),
  ...checksOf('connections', 'src/upstream/timeouts.ts', timeouts, {
    'way: an account has deadlines of its own': [
      'const merged = { ...timeouts, ...own }',
      'const merged = { ...own, ...timeouts }',
    ],
  }),
  ...checksOf(
    'connections',
    'src/upstream/dispatchers.ts',
    ['test/account-settings/connections.test.ts'],
    {
      'way: unchanged connections outlive a reload': [
        'if (known) return known',
        'if (known && used.size > 9) return known',
      ],
    },
  ),
  ...checksOf('connections', 'src/route/ranking.ts', slots, {
    'way: a full account is excluded': [
      'else if (slots.isFull(candidate.account)) excluded.push(atLimit(candidate.account))',
      '',
    ],
    'way: a client of a full owner may ask again': [
      'own.by === slotRule ? ownerForNow(error) : error',
      'error',
    ],
  }),
  ...checksOf('connections', 'src/accounts/slots.ts', slots, {
    'way: a slot is taken by one call': ['if (taken >= maxConcurrent) throw declined(account)', ''],
    'way: a slot becomes free': ['if (this.#holders === 0) this.#free()', ''],
  }),
  ...checksOf('connections', 'src/upstream/running-attempt.ts', slots, {
    'way: a stream holds its slot': ['this.#context.slot?.hold()', ''],
    'way: a request that ends lets go of its slot': ['this.#context.slot?.release()', ''],
  }),
  ...checksOf('connections', 'src/attempt/attempt.ts', slots, {
    'way: an attempt that ends lets go of its slot': ['slot?.release()', ''],
  }),
  ...checksOf('connections', 'src/upstream/proxy.ts', proxies, {
    'way: the refusal of a proxy is none of the account': [
      'throw refused(url.host, answer.statusCode)',
      'return answer',
    ],
  }),
  ...checksOf('connections', 'src/upstream/environment-proxies.ts', proxies, {
    'way: accounts on this machine are not proxied': ['[direct, ...loopback]', '[direct]'],
  }),
  ...checksOf('connections', 'src/configuration/account-connection.ts', connections, {
    'way: a key belongs to its certificate': [
      'if (first.checkPrivateKey(privateKey)) return undefined',
      'if (privateKey) return undefined',
    ],
    'way: credentials of a proxy are in no file': [
      "placeOfSecret(setting) === 'literal' && (username || password)",
      'false',
    ],
  }),
]
