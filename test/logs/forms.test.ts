import { expect, test } from 'vitest'

import { openLogs } from '../../src/cli/logs/index.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import type { LogConfig } from '../../src/configuration/config.generated.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

/** Logs whose streams are terminals, or not. */
function stage(log: LogConfig, { isTTY = false, env = {} } = {}) {
  const texts = { out: '', err: '' }
  const sink = (name: keyof typeof texts) => ({
    isTTY,
    writableLength: 0,
    write(text: string, written?: () => void) {
      texts[name] += text
      written?.()
      return true
    },
  })
  const setting = resolveSettings({ log }, { env }).log
  const logs = openLogs(setting, { stdout: sink('out'), stderr: sink('err'), env }, undefined)
  return { ...logs, texts }
}

/** The line of a real call. */
async function accessLine(): Promise<Readonly<Record<string, unknown>>> {
  await using sandbox = await startSandbox()
  const account = {
    id: 'openai-1',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
  }
  await using gateway = await createTestGateway({
    keys: [{ id: 'team-a', secret: 'test-secret' }],
    accounts: [{ ...account, models: ['sandbox/*'] }],
  })
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-secret', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.text()
  const [line] = await gateway.logged(1)
  return line ?? {}
}

test('a call is one line that people can read', async () => {
  const { lines, texts } = stage({ format: 'pretty' })
  lines.writeJson(await accessLine())
  await lines.flush()
  expect(texts.out).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3}Z 200 POST \/v1\/chat\/completions \d+ ms sandbox\/echo -> openai-1 key=team-a in=\d+ out=\d+\n$/,
  )
})

test('a terminal gets lines for people, in color, and anything else gets JSON', () => {
  const terminal = stage({}, { isTTY: true })
  terminal.log.warn('the disk is slow', { ms: 12, file: 'a b' })
  expect(terminal.texts.err).toContain('\u001b[33mWARN \u001b[39m the disk is slow')
  expect(terminal.texts.err).toContain('"a b"')

  const sober = stage({}, { isTTY: true, env: { NO_COLOR: '1' } })
  sober.log.warn('the disk is slow', { ms: 12, file: 'a b' })
  expect(sober.texts.err).toMatch(/^[\d:.]+Z WARN {2}the disk is slow ms=12 file="a b"\n$/)

  const pipe = stage({})
  pipe.log.warn('the disk is slow', { ms: 12 })
  expect(JSON.parse(pipe.texts.err)).toMatchObject({ msg: 'the disk is slow', ms: 12 })
})

test('an act of an administrator is one line that people can read', () => {
  const { log, texts } = stage({ format: 'pretty' })
  const audit = {
    id: '001795437321224-0001eec296d7',
    at: 1_795_437_321_224,
    actor: { kind: 'token', id: 'ops', role: 'operator' },
    address: '127.0.0.1',
    agent: 'curl',
    action: 'account.disable',
    target: { type: 'account', id: 'openai-1' },
    reason: 'over budget',
    requestId: 'req_1',
    result: 'DONE',
    prev: 'x',
    seal: 'sha256.x',
  }
  log.info('audit', { audit })
  const { actor: _actor, reason: _reason, requestId: _requestId, ...refused } = audit
  log.info('audit', {
    audit: { ...refused, result: 'REFUSED', message: 'no valid token', count: 3 },
  })
  const withoutTime = texts.err.replaceAll(/^[\d:.]+Z /gm, '')
  expect(withoutTime).toBe(
    'INFO  audit account.disable account:openai-1 DONE by=token:ops reason="over budget" request_id=req_1\n' +
      'INFO  audit account.disable account:openai-1 REFUSED message="no valid token" address=127.0.0.1 count=3\n',
  )
})

test('no name looks like a field or a part of the line that it is not', async () => {
  const { log, lines, texts } = stage({ format: 'pretty' })
  const forged = 'gpt-5 -> openai-1 key=admin in=1'
  const record = { ...(await accessLine()), model_requested: forged, path: `/v1 ${forged}` }
  lines.writeJson({ ...record, account: `a ${forged}` })
  await lines.flush()
  expect(texts.out).toMatch(
    / 200 POST "\/v1 gpt-5 [^"]*" \d+ ms "gpt-5 -> openai-1 key=admin in=1" -> "a gpt-5 [^"]*" key=team-a /,
  )
  const audit = {
    action: 'session.end',
    result: 'REFUSED',
    target: { type: 'session', id: 'x DONE by=token:ops reason="planned"' },
    actor: { kind: 'token', id: 'view result=DONE' },
  }
  log.info('audit', { audit })
  expect(texts.err.replace(/^[\d:.]+Z /, '')).toBe(
    String.raw`INFO  audit session.end "session:x DONE by=token:ops reason=\"planned\"" REFUSED by="token:view result=DONE"` +
      '\n',
  )
})

test('no name steers the terminal or begins a line of its own', async () => {
  const { log, lines, texts } = stage({}, { isTTY: true, env: { NO_COLOR: '1' } })
  const hostile = 'a\u001b[2J\n\u202ebc\r'
  log.error(hostile, { [hostile]: hostile, nested: [hostile] })
  lines.writeJson({
    ...(await accessLine()),
    model_requested: hostile,
    path: hostile,
    account: hostile,
    key_id: hostile,
  })
  await lines.flush()
  for (const text of Object.values(texts)) {
    for (const mark of ['\u001b', '\r', '\u202e']) expect(text).not.toContain(mark)
    expect(text.match(/\n/g)).toHaveLength(1)
    expect(text).toContain(String.raw`\u001b[2J`)
  }
})

test('levels: the least one, none at all, and another one after a reload', () => {
  const { log, texts, configure } = stage({ level: 'warn' })
  log.debug('debug')
  log.info('info')
  log.warn('warn')
  const settings = (config: LogConfig) => resolveSettings({ log: config }, { env: {} }).log
  configure(settings({ level: 'debug' }))
  log.debug('debug again')
  configure(settings({ level: 'off' }))
  log.error('error')
  const messages = texts.err.split('\n').filter(Boolean)
  expect(messages.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'warn',
    'debug again',
  ])
})

test('an access log of errors has no other lines', async () => {
  const { lines, texts, configure } = stage({ access: 'errors' })
  lines.writeJson({ level: 'info', id: 1 })
  lines.writeJson({ level: 'error', id: 2 })
  configure(resolveSettings({ log: { access: 'off' } }, { env: {} }).log)
  lines.writeJson({ level: 'error', id: 3 })
  await lines.flush()
  expect(texts.out).toBe('{"level":"error","id":2}\n')
})

test('flags go before variables, variables before the file, the file before the default', () => {
  const config = { log: { level: 'warn', format: 'pretty' } }
  const env = { DRAGOMAN_LOG_LEVEL: 'error', DRAGOMAN_LOG_FORMAT: 'json' }
  const of = (...[written, options]: Parameters<typeof resolveSettings>) => {
    const { level, format } = resolveSettings(written, options).log
    return `${level} ${format}`
  }
  expect(of({}, { env: {} })).toBe('info auto')
  expect(of(config, { env: {} })).toBe('warn pretty')
  expect(of(config, { env })).toBe('error json')
  expect(of(config, { env, flags: { logLevel: 'off' } })).toBe('off json')
  expect(() => of(config, { env: { DRAGOMAN_LOG_LEVEL: 'loud' } })).toThrow(/DRAGOMAN_LOG_LEVEL/)
  expect(() => of(config, { env, flags: { logFormat: 'xml' } })).toThrow(/--log-format/)
})
