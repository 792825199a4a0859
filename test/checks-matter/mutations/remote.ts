import { checksOf } from '../mutation.ts'

const guarded = ['test/remote/guard.test.ts']
const options = ['test/remote/guard-options.test.ts']
const spellings = ['test/remote/spellings.test.ts']
const names = ['test/remote/rebinding.test.ts']
const redirects = ['test/remote/redirects.test.ts']
const sizes = ['test/remote/sizes.test.ts']
const types = ['test/remote/types.test.ts']
const answers = ['test/remote/answers.test.ts']

const guard = 'src/remote/guard.ts'
const dial = 'src/remote/dial.ts'
const target = 'src/remote/target.ts'
const follow = 'src/remote/follow.ts'
const fetch = 'src/remote/fetch.ts'

/** Which files of clients are fetched, and from where. */
export const remoteChecks = [
  ...checksOf('remote', fetch, ['test/walks/losses/remote.test.ts'], {
    'no client gets to what is not public': [
      'const permits = createAddressGuard(settings)',
      'const permits = () => true',
    ],
  }),
  ...checksOf('remote', guard, guarded, {
    'networks that are not public': ['return !forbidden.check(address, family)', 'return true'],
    'IPv6 that nobody has assigned': [
      "if (family === 'ipv6' && !publicNetworks.check(address, family)) return false",
      '',
    ],
    'NAT64 only where it is wanted': ['options.nat64 ?', 'true ?'],
  }),
  ...checksOf('remote', guard, options, {
    'networks of the operator’s own': ['[...forbiddenIpv4, ...own]', '[...forbiddenIpv4]'],
    'a network is forbidden through NAT64 too': [
      '...[...forbiddenIpv4, ...own].flatMap(withNat64)',
      '...forbiddenIpv4, ...own',
    ],
    'ports of the operator’s choice': ['if (ports && !ports.has(port)) return false', ''],
  }),
  ...checksOf('remote', 'src/remote/guard.ts', options, {
    'a name is allowed on its port': [
      'names.has(`${normalizeName(host)}:${port}`)',
      '[...names].some((known) => known.startsWith(`${normalizeName(host)}:`))',
    ],
  }),
  ...checksOf('remote', dial, spellings, {
    'an address in the URL is checked': [
      'if (literal && !permits(host, port, host)) throw notPublic()',
      '',
    ],
  }),
  ...checksOf('remote', dial, names, {
    'every address of a name is checked': ['!addresses.every(', '!addresses.some('],
  }),
  ...checksOf('remote', target, [...redirects, ...spellings], {
    'no other protocols': [
      "if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {",
      'if (false) {',
    ],
    'no credentials': ["if (url.username !== '' || url.password !== '') {", 'if (false) {'],
  }),
  ...checksOf('remote', follow, redirects, {
    'a redirect is checked': ["checkTarget(next, allowHttp && from.protocol === 'http:')", ''],
    'redirects have an end': ['if (hops === options.maxRedirects) {', 'if (hops === 20) {'],
  }),
  ...checksOf('remote', follow, ['test/remote/secure.test.ts'], {
    'no redirect from https to http': ["allowHttp && from.protocol === 'http:'", 'allowHttp'],
  }),
  ...checksOf('remote', follow, sizes, {
    'the size that is counted': ['if (size > maxBytes) throw new OversizedFile(maxBytes)', ''],
    'the size that is told': [
      "if (Number(headers['content-length']) > maxBytes) throw",
      'if (false) throw',
    ],
    'nothing that is compressed': [
      "if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {",
      'if (false) {',
    ],
  }),
  ...checksOf('remote', follow, answers, {
    'nothing but a file': ['if (status !== 200) throw', 'if (false) throw'],
  }),
  ...checksOf('remote', 'src/remote/media-type.ts', types, {
    'types that are not expected': ['  if (fits) return\n', '  if (fits || accepted) return\n'],
  }),
  ...checksOf('remote', 'src/remote/content.ts', types, {
    'a file is what it is said to be': [
      'if (signature && !signature.test',
      'if (false && signature.test',
    ],
    'an empty file is none': ['if (bytes.length === 0) throw', 'if (false) throw'],
  }),
  ...checksOf('remote', fetch, ['test/remote/times.test.ts'], {
    'a host has so much time': [
      'startDeadline(timeoutMs, tooSlow, client)',
      'startDeadline(600_000, tooSlow, client)',
    ],
    'only so many files at once': ['using _slot = await slots.take(patience.signal, keyId)', ''],
  }),
  ...checksOf('remote', fetch, ['test/remote/leaving.test.ts'], {
    'nothing is fetched for a client that has left': [
      'startDeadline(timeoutMs, tooSlow, client)',
      'startDeadline(timeoutMs, tooSlow)',
    ],
  }),
  ...checksOf('remote', 'src/remote/inline.ts', ['test/remote/inline-limits.test.ts'], {
    'only so many files for one request': ['if (surplus) throw', 'if (false) throw'],
  }),
  ...checksOf('remote', 'src/remote/fetch-all.ts', ['test/remote/inline-limits.test.ts'], {
    'files of one request have a size together': ['if (left < 0) throw', 'if (false) throw'],
  }),
  ...checksOf('remote', 'src/remote/inline.ts', ['test/remote/inline-lacks.test.ts'], {
    'nothing is fetched for an account that could not be shown it': [
      ' && !lackOf(support, inputFeature[type])',
      '',
    ],
  }),
  ...checksOf(
    'remote',
    'src/remote/failure.ts',
    ['test/remote/leaks.test.ts', ...names, ...spellings],
    {
      'no address is told': [
        "host === '' || host.startsWith('[') || isIP(host) !== 0 ? '' :",
        "host === '' ? '' :",
      ],
    },
  ),
]
