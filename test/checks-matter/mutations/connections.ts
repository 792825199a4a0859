import { checksOf, removed } from '../mutation.ts'

const framing = ['test/errors/framing.test.ts']
const early = ['test/connections/early-answers.test.ts']
const asked = ['test/connections/continue.test.ts']
const stalled = ['test/requests/stalled-bodies.test.ts']
const limits = ['test/connections/limits.test.ts']
const shutdown = ['test/connections/shutdown.test.ts']
const check = 'src/http/check-request.ts'

/** How a connection is read, held and ended: what one client could take from the others. */
export const connectionChecks = [
  ...checksOf('connections', check, framing, {
    'a version is known': ["if (httpVersion !== '1.1' && httpVersion !== '1.0')", 'if (false)'],
    'one host': ['if (hostAfter(rawHeaders, at + 2) >= 0)', 'if (false)'],
    'a host is named': ["if (at < 0 && httpVersion !== '1.0')", 'if (false)'],
    'a host is valid': ['if (!isHost(rawHeaders[at + 1] as string))', 'if (false)'],
    'HTTP/1.0 has no codings': ["if (httpVersion === '1.0')", 'if (false)'],
    'a coding other than chunked': [
      "return coding.trim().toLowerCase() === 'chunked' ? undefined : unsupportedCoding()",
      'return undefined',
    ],
    'a target without a host': [
      "if (!url.startsWith('/') && !validTarget.test(url))",
      'if (false)',
    ],
    ...removed({
      'an ambiguous request is the last of its connection': 'markLastAnswer(response.req.socket)\n',
    }),
  }),
  ...checksOf('connections', 'src/http/listen.ts', framing, {
    'a tunnel is answered': ["server.on('connect'", "server.on('no-connect'"],
  }),
  ...checksOf('connections', 'src/http/listen.ts', ['test/connections/pipelined.test.ts'], {
    'pipelined requests wait': ['if (isPipelined(response))', 'if (false)'],
  }),
  ...checksOf('connections', 'src/http/pipelining.ts', ['test/connections/pipelined.test.ts'], {
    'a connection with too many requests ends': ['if (count > mostWaiting)', 'if (false)'],
  }),
  ...checksOf('connections', 'src/http/linger.ts', early, {
    'a connection lingers for a limited time': [
      'setTimeout(() => socket.destroy(), lingerMs)',
      'setTimeout(() => {}, lingerMs)',
    ],
  }),
  ...checksOf('connections', 'src/http/end-early.ts', early, {
    'an answer before the body ends the connection': [
      'if (response.req.complete || response.headersSent) return',
      'if (response) return',
    ],
    'an answer of another party before the body ends the connection': [
      'if (!req.complete) setImmediate(endUnlessComplete, req)',
      '',
    ],
    'a body that has arrived does not end its connection': [
      'await new Promise(setImmediate)\n',
      '\n',
    ],
  }),
  ...checksOf('connections', 'src/http/listen.ts', asked, {
    'a client is asked for its body after its key is known': [
      'markWaiting(request)\n',
      'response.writeContinue()\n',
    ],
  }),
  ...checksOf('connections', 'src/body/read-body.ts', asked, {
    ...removed({ 'a client that waits is asked for its JSON': 'request.askForBody?.()\n' }),
  }),
  ...checksOf('connections', 'src/body/form/read-form.ts', asked, {
    ...removed({ 'a client that waits is asked for its form': 'request.askForBody?.()\n' }),
  }),
  ...checksOf('connections', 'src/storage/local/receive.ts', ['test/uploads/limits.test.ts'], {
    ...removed({ 'a client that waits is asked for its file': 'request.askForBody?.()\n' }),
  }),
  ...checksOf('connections', 'src/storage/local/request-body.ts', ['test/uploads/limits.test.ts'], {
    ...removed({
      'an upload that drips': 'if (pace.isTooSlow(performance.now())) throw timedOut()',
    }),
  }),
  ...checksOf('connections', 'src/lib/pace.ts', stalled, {
    'a body that drips': ['if (this.#bytes < this.#leastBytes) return true', ''],
    'a body that was fast before it drips': ['    this.#bytes = 0\n', '\n'],
  }),
  ...checksOf('connections', 'src/lib/shared-budget.ts', ['test/spool/spooled.test.ts'], {
    'the share of a key': ["if (!isAlone && held + more > this.#share) return 'share'", ''],
    'one form alone may exceed the share': [
      'const isAlone = held === whole - more',
      'const isAlone = false',
    ],
  }),
  ...checksOf('connections', 'src/http/connections.ts', limits, {
    'connections of one address that send nothing': [
      'if (same.size > most) oldest?.destroy()',
      'void oldest',
    ],
    'a client that takes nothing of its answer': [
      'else if (socket.writableLength > 0) socket.destroy()',
      '',
    ],
  }),
  ...checksOf('connections', 'src/http/connections.ts', shutdown, {
    'half a head does not hold a shutdown': ['if (looks === 3) socket.destroy()', ''],
    'a connection that is served is not ended': ['if (!isServed(socket) && ', 'if ('],
    'a connection that lingers is not ended': [' && !isLingering(socket)', ''],
    'a silent connection does not hold a shutdown': [
      'for (const same of waiting.values()) for (const socket of same) end(socket)',
      '',
    ],
  }),
  ...checksOf('connections', 'src/http/connections.ts', limits, {
    'a request that was waiting while the process was held up': [
      'if (socket.bytesRead === bytesRead) socket.destroy()',
      'socket.destroy()',
    ],
    'a request that arrives within a long turn': [
      'afterShortTurn(endIdle)',
      'setImmediate(endIdle)',
    ],
  }),
  ...checksOf('connections', 'src/http/stop-accepting.ts', shutdown, {
    'idle connections live on': [
      'NetServer.prototype.close.call(server, () => {',
      'server.close(() => {',
    ],
    'a closed server is freed': ['        server.close()\n', ''],
    'connections that wait to be accepted are accepted': [
      'afterShortTurn(close, () => accepted)',
      'close()',
    ],
  }),
  ...checksOf('connections', 'src/http/listen.ts', ['test/connections/times.test.ts'], {
    'a head may take longer than a connection may be idle': ['headMs = 80_000', 'headMs = 30_000'],
  }),
  ...checksOf('connections', 'src/http/listen.ts', shutdown, {
    ...removed({
      'a client learns that its connection ends': "response.setHeader('connection', 'close')",
    }),
  }),
  ...checksOf('connections', 'src/hooks/dispose.ts', ['test/cli/open-handles.test.ts'], {
    'a plugin that does not dispose of itself': [
      'await within(longestMs, disposeOf(plugin), late)',
      'await disposeOf(plugin)',
    ],
  }),
  ...checksOf('connections', 'src/cli/main.ts', ['test/cli/open-handles.test.ts'], {
    'open handles do not keep a command alive': ['process.exit(code)', 'process.exitCode = code'],
  }),
  ...checksOf('connections', 'src/body/spool/fault.ts', ['test/cli/spool.test.ts'], {
    ...removed({ 'a full disk is found': 'await tryFile(directory)\n' }),
  }),
  ...checksOf('connections', 'src/cli/check.ts', ['test/cli/check-warnings.test.ts'], {
    ...removed({
      'a public address wants a key in check, too':
        'problems.push(...problemsOfKeys(configuration, keys, invocation))',
    }),
  }),
  ...checksOf('connections', 'src/runtime/start-gateway.ts', ['test/embed/embed.test.ts'], {
    'malformed keys change no accounts': [
      'const replaceKeys = keys.prepare(changed.keys)\n      accounts.configure(changed, problems)',
      'accounts.configure(changed, problems)\n      const replaceKeys = keys.prepare(changed.keys)',
    ],
  }),
]
