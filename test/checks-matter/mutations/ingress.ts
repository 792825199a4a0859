import { checksOf, removed } from '../mutation.ts'

const proxies = ['test/walks/ingress/trusted-proxies.test.ts']
const shipped = ['test/walks/ingress/shipped.test.ts']
const settings = ['test/configuration/trusted-proxies.test.ts']

/** What the headers of proxies say of a client, and whose. */
export const ingressChecks = [
  ...checksOf('connections', 'src/http/client.ts', proxies, {
    'proxies: a stranger’s headers do not count': ['!proxies.has(peer)', 'false'],
    'proxies: the nearest address that is no proxy’s': [
      'if (!proxies.has(address) || at === entries.length - 1)',
      'if (at === entries.length - 1)',
    ],
    'proxies: what is no address ends the search': [
      'if (address === undefined || at >= mostProxies) return undefined',
      'if (address === undefined) continue',
    ],
    'proxies: quotation marks are none of the address': ['?.[1] ?? entry', '?.[0] ?? entry'],
    'proxies: a port is one': ['(?::\\d{1,5})?|(', '(?::.*)?|('],
    'proxies: each word is that of the same proxy': [
      'list[list.length === clients.length ? at : 0]',
      'list[0]',
    ],
    'proxies: a scheme is http or https': [
      "scheme === 'http' || scheme === 'https' ? scheme : undefined",
      'scheme as Client["scheme"]',
    ],
    'proxies: a host is one': ['validHost.test(host) && ', ''],
    'proxies: a path is plain': ['validPrefix.test(prefix) && ', ''],
    'proxies: words of different requests are not mixed up': [
      '`${scheme}\\n${host}\\n${prefix}`',
      '`${scheme}://${host}${prefix}`',
    ],
  }),
  ...checksOf('connections', 'src/http/proxy-headers.ts', proxies, {
    'proxies: `Forwarded` is a client’s beside `x-forwarded-for`': [
      'if (named === undefined && forwarded !== undefined)',
      'if (forwarded !== undefined)',
    ],
    'proxies: a malformed element hides nothing': [
      'if (end === undefined) return []',
      'if (end === undefined) return elements.length > 0 ? elements : [element]',
    ],
    'proxies: a parameter stands once in an element': [
      'if (element.has(name.toLowerCase())) return []',
      '',
    ],
    'proxies: the nearest element is the last': ['.toReversed()', ''],
  }),
  ...checksOf('connections', 'src/runtime/start-gateway.ts', proxies, {
    'proxies: a reload replaces them': [
      'changed.trustedProxies ?? trustedProxies',
      'trustedProxies',
    ],
  }),
  ...checksOf(
    'connections',
    'src/telemetry/traces/incoming.ts',
    ['test/telemetry/traces/propagation.test.ts'],
    {
      'proxies: a stranger’s trace is linked alone': ["(isProxied ? 'trust' : 'link')", "'trust'"],
      'proxies: a proxy’s trace goes on': ["(isProxied ? 'trust' : 'link')", "'link'"],
    },
  ),
  ...checksOf('connections', 'src/kit/public-url.ts', proxies, {
    'proxies: the public URL that is configured counts': [
      'configured === undefined ? (request?.publicUrl ?? base) : base',
      'request?.publicUrl ?? base',
    ],
  }),
  ...checksOf('connections', 'src/http/trusted-proxies.ts', settings, {
    'proxies: an entry has no zone': [" || address.includes('%')", ''],
    'proxies: an entry has the bits of its family': ['<= (family === 4 ? 32 : 128)', '<= 128'],
  }),
  ...checksOf('connections', 'src/http/connections.ts', ['test/connections/limits.test.ts'], {
    'proxies: a proxy has many clients': ['mostWaiting * clientsOfProxy', 'mostWaiting'],
    'proxies: a proxy’s connections have a limit': ['mostWaiting * clientsOfProxy', 'Infinity'],
  }),
  ...checksOf('connections', 'src/cli/drain-times.ts', ['test/cli/drain-times.test.ts'], {
    'drain: a pod ends before it is killed': ['graceMs - delayMs - reserveMs', 'graceMs'],
    'drain: a timer is not too long': [', longestMs)', ', Infinity)'],
  }),
  ...checksOf('connections', 'deploy/nginx/dragoman.conf', shipped, {
    ...removed({
      'nginx: large bodies pass': 'client_max_body_size 0;',
      'nginx: headers of sessions pass': 'underscores_in_headers on;',
      'nginx: the client’s `Forwarded` does not pass': 'proxy_set_header Forwarded "";',
      'nginx: the client’s prefix does not pass': 'proxy_set_header X-Forwarded-Prefix "";',
    }),
    'nginx: the client’s address is not its own word': [
      'X-Forwarded-For $remote_addr;',
      'X-Forwarded-For $http_x_forwarded_for;',
    ],
    'nginx: the host is not the client’s word': [
      'X-Forwarded-Host $http_host;',
      'X-Forwarded-Host $http_x_forwarded_host;',
    ],
    'nginx: no call is sent twice': [
      'proxy_next_upstream error timeout;',
      'proxy_next_upstream error timeout non_idempotent;',
    ],
    'nginx: idle connections end first': ['keepalive_timeout 500ms;', 'keepalive_timeout 1250ms;'],
  }),
]
