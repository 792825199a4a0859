import { checksOf } from '../mutation.ts'

const effort = ['test/admin/effort.test.ts']
const site = ['test/admin/http/site.test.ts']
const audit = ['test/admin/audit.test.ts']

/** What queries take from the calls of clients, and what they leave in the log. */
export const adminEffortChecks = [
  ...checksOf('admin', 'src/admin/reads.ts', effort, {
    'a principal has a share of the reads': ['mostOfPrincipal = 2', 'mostOfPrincipal = 4'],
    'reads leave the store to calls': ['mostAtOnce = 4', 'mostAtOnce = 400'],
  }),
  ...checksOf('admin', 'src/admin/scan-page.ts', effort, {
    'a scan ends with its operation': ['signal?.throwIfAborted()', ''],
  }),
  ...checksOf('admin', 'src/admin/list-page.ts', effort, {
    'a list ends with its operation': ['signal?.throwIfAborted()', ''],
    'a list lets others have their turns': ['await nextTurn()', 'void nextTurn'],
  }),
  ...checksOf('admin', 'src/admin/connections.ts', effort, {
    'a walk costs what it reads': ['field: effortOfWalk', 'field: 1'],
    'a search costs what it reads': ['field: 50', 'field: 1'],
  }),
  ...checksOf('admin', 'src/admin/http/guard.ts', ['test/admin/store-away.test.ts'], {
    'a store that is away is no defect': ['  if (store) {', '  if (store && !error) {'],
  }),
  ...checksOf('auth', 'src/admin/http/local.ts', site, {
    'a request of a proxy is not local': [
      'if (ofProxies.some((name) => headers[name] !== undefined)) return false',
      '',
    ],
    'a configuration of a proxy makes nothing local': [
      'if (trustedProxies.length > 0 || allowedHosts.length > 0) return false',
      '',
    ],
    'other machines are not local': [
      'isLoopback(socket.remoteAddress) && isLoopback(socket.localAddress)',
      'isLoopback(socket.localAddress) || !socket',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/cookies.ts', ['test/admin/http/sessions.test.ts'], {
    'over https a plain cookie is no session': ['isSecure ? [ofHttps] : ', ''],
  }),
  ...checksOf('admin', 'src/admin/refusals.ts', audit, {
    'refused acts on two things have two records': [
      "kind !== 'entry' ? [target",
      'false ? [target',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/undecided.ts', ['test/third-party/notes.test.ts'], {
    'a mutation of a plugin has its record': [' && isOfAct(audit)', ' && isOfAct !== undefined'],
  }),
]
