import { checksOf } from '../mutation.ts'

const ownKey = ['test/secrets/own-key.test.ts']
const captures = ['test/capture/capture.test.ts']
const forms = ['test/capture/forms.test.ts']
const lastLine = ['test/capture/last-line.test.ts']
const ends = ['test/capture/ends.test.ts']
const files = ['test/logs/log-file.test.ts']
const lineForms = ['test/logs/forms.test.ts']

/** Logs and captures: they hold up no call, and have nothing that is secret or of another key. */
export const logChecks = [
  ...checksOf('admin', 'src/kit/clean-text.ts', ownKey, {
    'captures and logs: an encoded key is found': [
      "times < mostDecodings && decoded.includes('%')",
      'false',
    ],
    'captures and logs: a key that is encoded twice is found': [
      'const mostDecodings = 4',
      'const mostDecodings = 1',
    ],
    'captures and logs: a refused credential is hidden': [
      'for (const one of presented) clean = change(clean, one)',
      '',
    ],
    'captures and logs: a stranger with many credentials shows no text': [
      'if (!presented) return hidden',
      'if (!presented) return text',
    ],
    'captures and logs: behind the head of another long key all is hidden': [
      'text.slice(0, at) + mark',
      'text',
    ],
    'captures and logs: a key that the end of the reading cuts in two is hidden': [
      'clean.slice(0, -longestEncodedHead) || hidden',
      'clean',
    ],
    'captures and logs: secrets of headers are hidden': [
      'if (secrets) for (const secret of secrets) clean = change(clean, secret)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/kit/presented-credentials.ts', ownKey, {
    'captures and logs: headers of keys are read on any path': [
      'for (const name of keyHeaders)',
      'for (const name of [] as string[])',
    ],
    'captures and logs: a scheme may come twice': [
      "yield value.slice(value.lastIndexOf(' ') + 1)",
      '',
    ],
    'captures and logs: a password is read on any path': ["yield password.join(':')", ''],
    'captures and logs: a name is read on any path': ['yield name', ''],
    'captures and logs: headers of proxies are read on any path': [
      "['authorization', 'proxy-authorization']",
      "['authorization']",
    ],
    'captures and logs: headers of several keys are read on any path': [
      "if (value.includes(',')) for",
      'if (false) for',
    ],
    'captures and logs: keys of a query are read on any path': [
      'keyParameters.has(name.toLowerCase())',
      'false',
    ],
    'captures and logs: credentials of strangers are counted': [
      'if (found.size > mostPresented) return undefined',
      '',
    ],
    'captures and logs: the longer of two keys is hidden first': [
      'other.length - one.length',
      'one.length - other.length',
    ],
  }),
  ...checksOf('admin', 'plugins/access-log.ts', ownKey, {
    'captures and logs: a path is cut off': ['shown(request.path)', 'request.path'],
    'captures and logs: ids of accounts have no secrets': [
      'shown(outcome?.produced?.id)',
      'outcome?.produced?.id',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/exchanges.ts', ownKey, {
    'captures and logs: viewers read no key as a model': [
      'cleanText(model, exchange, longest)',
      'model',
    ],
  }),
  ...checksOf('admin', 'src/capture/recorder.ts', captures, {
    'captures and logs: a long body is cut off': [
      'bytes.subarray(0, mostBytes - this.#reply.size)',
      'bytes',
    ],
  }),
  ...checksOf('admin', 'src/capture/entry.ts', captures, {
    'captures and logs: values of a query are hidden': [
      "shownParameters.has(name) ? clean(value) : '[hidden]'",
      'clean(value)',
    ],
    'captures and logs: an encoded key is taken out of paths': [
      'clean(withoutSecrets(request.path, exchange))',
      'clean(request.path)',
    ],
    'captures and logs: only headers of the list are shown': [
      'filter(([name]) => isShown(name.toLowerCase()))',
      'filter(([name]) => isShown(name.toLowerCase()) || true)',
    ],
    'captures and logs: keys are taken out of bodies': [
      'body: clean(isCut ? text.slice(0, -longestBeginning) : text)',
      'body: isCut ? text.slice(0, -longestBeginning) : text',
    ],
  }),
  ...checksOf('admin', 'src/capture/files.ts', captures, {
    'captures and logs: only the owner reads a file': ['flags, 0o600', 'flags, 0o644'],
  }),
  ...checksOf('admin', 'src/capture/index.ts', captures, {
    'captures and logs: so many exchanges as were asked for': [' || one.left <= 0', ''],
    'captures and logs: calls of one key': ['exchange.caller?.keyId === keyId &&', 'true &&'],
  }),
  ...checksOf('admin', 'src/capture/index.ts', ends, {
    'captures and logs: the end needs no right clock': [
      'uptime() >= one.until) end',
      'now() >= one.capture.endsAt) end',
    ],
  }),
  ...checksOf('admin', 'src/capture/index.ts', lastLine, {
    'captures and logs: a process that ends says so in its files': ["end(one, 'shutdown')", ''],
    'captures and logs: a directory that is full ends a capture': ["end(one, 'full')", ''],
  }),
  ...checksOf('admin', 'src/capture/entry.ts', forms, {
    'captures and logs: keys are taken out of forms': [
      'text: clean(isCut ? text.slice(0, -longestBeginning) : text)',
      'text: isCut ? text.slice(0, -longestBeginning) : text',
    ],
  }),
  ...checksOf('admin', 'src/capture/form.ts', forms, {
    'captures and logs: texts of forms have a limit': ['?.subarray(0, left)', ''],
    'captures and logs: a form of many parts is cut': ['slice(0, mostParts)', 'slice(0)'],
  }),
  ...checksOf('admin', 'src/capture/records.ts', ends, {
    'captures and logs: no record makes one longer': [
      'endsAt - startedAt <= longestCaptureMs',
      'true',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/captures.ts', captures, {
    'captures and logs: the configuration permits them': ['!settings().capture', 'false'],
  }),
  ...checksOf('admin', 'src/lib/log-file.ts', files, {
    'captures and logs: one fault a minute': ['now - reportedAt < faultMs', 'false'],
    'captures and logs: a moved file is replaced': ['!(await isAt(path, file))', 'false'],
  }),
  ...checksOf('admin', 'src/cli/logs/pretty.ts', lineForms, {
    'captures and logs: a line for people steers no terminal': [
      "return visibleInLine(typeof value === 'string' ? value : String(value))",
      "return typeof value === 'string' ? value : String(value)",
    ],
    'captures and logs: a model forges no field': ['[quoted(model)]', '[shown(model)]'],
    'captures and logs: a path forges no field': ['quoted(path)', 'shown(path)'],
    'captures and logs: a target forges no field': [
      "quoted(nameOf(audit['target']))",
      "nameOf(audit['target'])",
    ],
  }),
]
