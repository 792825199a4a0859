import { describe, expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import {
  dialectNames,
  errorMessage,
  framesOf,
  greet,
  post,
  readAll,
  type DialectName,
} from './requests.ts'

/** A streamed greeting to `sandbox/<directives>`, read to its end. */
async function stream(dialect: DialectName, directives: string) {
  await using sandbox = await startSandbox()
  const response = await post(sandbox, greet(dialect, `sandbox/${directives}`, true))
  const { text, clean } = await readAll(response)
  return { text, clean, frames: framesOf(text), status: response.status }
}

describe('directives come in the model name and in a header', () => {
  test('and mean the same', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const said = async (model: string, header?: string) =>
      (
        await openai.responses.create(
          { model, input: 'hi' },
          header === undefined ? {} : { headers: { 'x-sandbox': header } },
        )
      ).output_text
    expect(await said('sandbox/text=good%20day')).toBe('good day')
    expect(await said('m', 'text=good%20day')).toBe('good day')
    expect(await said('acme/text=hello')).toBe('hello')
    expect(await said('sandbox/words=3')).toBe('the sandbox keeps')
    expect(await said('sandbox/text=model', 'text=header; pace=1')).toBe('header')
    expect(await said('sandbox/echo')).toBe('You said: hi')
    expect(await said('acme/some-model-1.5:free')).toBe('You said: hi')
  })

  test('Gemini paths carry them as well', async () => {
    await using sandbox = await startSandbox()
    const { genai } = clientsOf(sandbox)
    const model = 'sandbox/text=a:b%20c+pace=1'
    expect((await genai.models.generateContent({ model, contents: 'hi' })).text).toBe('a:b c')
  })

  test.each([
    ['sandbox/tpyo', "unknown directive 'tpyo'. Known directives are: echo, text, words"],
    ['acme/cutt=3', "unknown directive 'cutt'"],
    ['sandbox/cut=soon', 'cut needs a whole number'],
    ['sandbox/cut', 'cut needs a whole number'],
    ['sandbox/crlf=1', 'crlf takes no value'],
    ['sandbox/status=9', 'status needs a whole number from 200 to 599'],
  ])('%s is refused with a hint', async (model, hint) => {
    await using sandbox = await startSandbox()
    const response = await post(sandbox, greet('responses', model))
    expect(response.status).toBe(400)
    expect(await errorMessage(response)).toContain(hint)
  })

  test('only one account obeys if the directives say so', async () => {
    await using sandbox = await startSandbox()
    const request = { model: 'sandbox/status=503+only=a', input: 'hi' }
    await expect(clientsOf(sandbox).openai.responses.create(request)).rejects.toMatchObject({
      status: 503,
    })
    const other = clientsOf(sandbox, 'sandbox-key-b').openai
    expect((await other.responses.create(request)).output_text).toBe('You said: hi')
  })
})

describe('failures before the first byte', () => {
  test('a status comes in the shape of the provider, with its retry headers', async () => {
    await using sandbox = await startSandbox()
    const directives = 'sandbox/status=429+retry-after=2+retry-after-ms=1500+message=slow%20down'
    const answers = await Promise.all(
      dialectNames.map((dialect) => post(sandbox, greet(dialect, directives))),
    )
    for (const { status, headers } of answers) {
      expect(status).toBe(429)
      expect(headers.get('retry-after')).toBe('2')
      expect(headers.get('retry-after-ms')).toBe('1500')
      expect(headers.get('x-sandbox-account')).toBe('a')
    }
    const [responses, chat, messages, gemini] = await Promise.all(
      answers.map((answer) => answer.json()),
    )
    const openai = {
      message: 'slow down',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    }
    expect(responses).toEqual({ error: openai })
    expect(chat).toEqual({ error: openai })
    expect(messages).toMatchObject({ error: { type: 'rate_limit_error', message: 'slow down' } })
    expect(gemini).toEqual({
      error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' },
    })
  })

  test('flaky fails every other request, whichever account it reaches', async () => {
    await using sandbox = await startSandbox()
    const statuses: number[] = []
    for (const key of ['a', 'b', 'b', 'a'])
      statuses.push(
        (
          await post(sandbox, greet('responses', 'sandbox/flaky'), {
            headers: { authorization: `Bearer sandbox-key-${key}` },
          })
        ).status,
      )
    expect(statuses).toEqual([503, 200, 503, 200])
  })

  test('html, redirect, badjson and reset', async () => {
    await using sandbox = await startSandbox()
    const answer = (directive: string) => post(sandbox, greet('messages', `sandbox/${directive}`))

    const html = await answer('html=502')
    expect(html.status).toBe(502)
    expect(html.headers.get('content-type')).toContain('text/html')

    const redirect = await answer('redirect')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/redirected'])

    const broken = await answer('badjson')
    expect(broken.headers.get('content-type')).toBe('application/json')
    await expect(broken.json()).rejects.toThrow(SyntaxError)

    await expect(answer('reset')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })
})

describe('accidents on the way', () => {
  test.each(dialectNames)('%s: cut drops the connection after so many events', async (dialect) => {
    const { frames, clean } = await stream(dialect, 'words=9+cut=3')
    expect(frames).toHaveLength(3)
    expect(clean).toBe(false)
  })

  test.each(dialectNames)('%s: eof ends cleanly and too early', async (dialect) => {
    const { frames, clean } = await stream(dialect, 'words=9+eof=3')
    expect(frames).toHaveLength(3)
    expect(clean).toBe(true)
  })

  test.each([
    ['half', false],
    ['halfeof', true],
  ])('%s sends half of the next event first', async (directive, cleanEnd) => {
    const { frames, clean } = await stream('chat-completions', `words=9+${directive}=2`)
    expect(frames).toHaveLength(3)
    expect(() => JSON.parse(frames[2]!)).toThrow(SyntaxError)
    expect(clean).toBe(cleanEnd)
  })

  test('a cut in front of everything still sends the headers', async () => {
    expect(await stream('messages', 'cut=0')).toMatchObject({ status: 200, text: '', clean: false })
  })

  test('stall falls silent and keeps the connection until the client gives up', async () => {
    await using sandbox = await startSandbox()
    const controller = new AbortController()
    const { signal } = controller
    const response = await post(sandbox, greet('messages', 'sandbox/stall=2', true), { signal })
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes('ping')) text += new TextDecoder().decode((await reader.read()).value)
    expect(sandbox.openStreams()).toBe(1)
    expect(sandbox.requests[0]?.finished).toBe('pending')

    controller.abort()
    await vi.waitFor(() => expect(sandbox.requests[0]?.finished).toBe('aborted'))
    expect(sandbox.openStreams()).toBe(0)
  })

  test('malformed spoils one event and goes on', async () => {
    const { frames } = await stream('generate-content', 'words=5+malformed=2')
    const broken = frames.map((data) => {
      try {
        return typeof JSON.parse(data) !== 'object'
      } catch {
        return true
      }
    })
    expect(broken).toEqual([false, true, false, false, false])
  })

  test('an error inside the stream looks as the provider writes it', async () => {
    const last = async (dialect: DialectName) => {
      const { frames } = await stream(dialect, 'words=9+error=3+message=oh+code=oops')
      expect(frames).toHaveLength(4)
      return JSON.parse(frames[3]!)
    }
    expect(await last('responses')).toEqual({
      type: 'error',
      sequence_number: 3,
      code: 'oops',
      message: 'oh',
      param: null,
    })
    expect(await last('chat-completions')).toEqual({
      error: { message: 'oh', type: 'server_error', param: null, code: 'oops' },
    })
    expect(await last('messages')).toMatchObject({
      type: 'error',
      error: { type: 'overloaded_error', message: 'oh' },
    })
    expect(await last('generate-content')).toMatchObject({
      error: { code: 503, message: 'oh', status: 'UNAVAILABLE' },
    })
  })

  test('SDKs raise the error that comes inside a stream', async () => {
    await using sandbox = await startSandbox()
    const { openai, anthropic, genai } = clientsOf(sandbox)
    const model = 'sandbox/error=3'
    const messages = [{ role: 'user' as const, content: 'hi' }]
    await expect(
      openai.chat.completions.stream({ model, messages }).finalContent(),
    ).rejects.toThrow('as directed')
    await expect(openai.responses.stream({ model, input: 'hi' }).finalResponse()).rejects.toThrow(
      'as directed',
    )
    await expect(
      anthropic.messages.stream({ model, messages, max_tokens: 9 }).finalMessage(),
    ).rejects.toMatchObject({ type: 'overloaded_error' })
    const chunks = await genai.models.generateContentStream({ model, contents: 'hi there' })
    const readToEnd = async () => {
      for await (const chunk of chunks) void chunk
    }
    await expect(readToEnd()).rejects.toMatchObject({ status: 503 })
  })

  test.each([
    ['cut=1', false],
    ['half=1', false],
    ['eof=1', true],
  ])('a JSON reply breaks off half-way for %s', async (directive, cleanEnd) => {
    await using sandbox = await startSandbox()
    const whole = (await readAll(await post(sandbox, greet('messages', 'm')))).text
    const response = await post(sandbox, greet('messages', `sandbox/${directive}`))
    const { text, clean } = await readAll(response)
    expect(clean).toBe(cleanEnd)
    expect(text.length).toBeLessThan(whole.length * 0.7)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })
})

describe('odd framing', () => {
  test.each(dialectNames)(
    '%s: the content stays the same however it is framed',
    async (dialect) => {
      await using sandbox = await startSandbox()
      const contentOf = async (directives: string) => {
        const response = await post(sandbox, greet(dialect, `sandbox/echo+${directives}`, true))
        const { text } = await readAll(response)
        const deltas = framesOf(text)
          .filter((data) => data !== '[DONE]')
          .map((data) => JSON.stringify(JSON.parse(data)))
        return deltas.join('\n').replace(/[0-9a-f]{24}/g, 'ID')
      }
      const usual = (await contentOf('pace=0')).replaceAll('sandbox/echo+pace=0', 'MODEL')
      for (const way of ['crlf', 'multiline', 'comments', 'coalesce', 'split=7', 'noblank']) {
        const content = await contentOf(way)
        const timeless = (json: string) => json.replace(/"(created|\w+_at)":\d+/g, '"$1":0')
        expect(timeless(content.replaceAll(`sandbox/echo+${way}`, 'MODEL'))).toBe(timeless(usual))
      }
    },
  )

  test('and the framing is what was asked for', async () => {
    expect((await stream('messages', 'crlf')).text).not.toMatch(/[^\r]\n/)
    expect((await stream('messages', 'comments')).text).toMatch(/^: sandbox\n\nevent: /)
    expect((await stream('messages', 'multiline')).text).toMatch(
      /^event: .*\ndata: \{\ndata: {2}"type"/,
    )
    expect((await stream('messages', 'noblank')).text).toMatch(/\}$/)
    expect((await stream('chat-completions', 'notdone')).text).not.toContain('[DONE]')
  })

  test('a stream can be answered with plain JSON', async () => {
    const { text } = await stream('responses', 'json')
    expect(JSON.parse(text)).toMatchObject({ object: 'response', status: 'completed' })
  })
})

describe('what is said', () => {
  test('big makes one delta of that size', async () => {
    const { frames } = await stream('responses', 'big=100000')
    const deltas = frames.map((data) => JSON.parse(data).delta).filter(Boolean)
    expect(deltas.map((delta) => delta.length)).toEqual([100_000])
  })

  test('refuse refuses in the form of each dialect', async () => {
    await using sandbox = await startSandbox()
    const { openai, anthropic, genai } = clientsOf(sandbox)
    const model = 'sandbox/refuse'
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const response = await openai.responses.stream({ model, input: 'hi' }).finalResponse()
    expect(response.output).toMatchObject([{ content: [{ type: 'refusal' }] }])
    const chat = openai.chat.completions.stream({ model, messages })
    const { choices } = await chat.finalChatCompletion()
    expect(choices[0]?.message).toMatchObject({ refusal: expect.stringContaining('refuses') })
    const message = await anthropic.messages
      .stream({ model, messages, max_tokens: 9 })
      .finalMessage()
    expect(message).toMatchObject({ stop_reason: 'refusal', stop_details: { type: 'refusal' } })
    const reply = await genai.models.generateContent({ model, contents: 'hi' })
    expect(reply.promptFeedback?.blockReason).toBe('SAFETY')
    expect(reply.candidates).toBeUndefined()
  })

  test('finish ends with a native reason', async () => {
    await using sandbox = await startSandbox()
    const { openai, anthropic, genai } = clientsOf(sandbox)
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const failed = await openai.responses.create({ model: 'sandbox/finish=failed', input: 'hi' })
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'server_error' } })
    const filtered = { model: 'sandbox/finish=content_filter', input: 'hi' }
    expect(await openai.responses.stream(filtered).finalResponse()).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    })
    const chat = { model: 'sandbox/finish=content_filter', messages }
    expect((await openai.chat.completions.create(chat)).choices[0]?.finish_reason).toBe(
      'content_filter',
    )
    const pause = { model: 'sandbox/finish=pause_turn', messages, max_tokens: 9 }
    expect((await anthropic.messages.create(pause)).stop_reason).toBe('pause_turn')
    const safety = { model: 'sandbox/finish=SAFETY', contents: 'hi' }
    const reply = await genai.models.generateContent(safety)
    expect(reply.candidates?.[0]?.finishReason).toBe('SAFETY')
  })

  test.each(dialectNames)('%s: nousage leaves the usage out', async (dialect) => {
    await using sandbox = await startSandbox()
    const text = await (await post(sandbox, greet(dialect, 'sandbox/nousage'))).text()
    expect(text).not.toMatch(/token(s|Count)":\d/i)
  })
})

describe('time', () => {
  test.each([
    ['delay=60', 60],
    ['first=60', 60],
    ['silent=60', 60],
    ['pace=20', 60],
    ['slow', 400],
  ])('%s takes its time', async (directive, least) => {
    const before = performance.now()
    await stream('chat-completions', directive)
    // Timers of Node may fire up to a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(least - 2)
  })

  test('the options set a pace for all streams', async () => {
    await using sandbox = await startSandbox({ pace: { eventDelayMs: 20 } })
    const before = performance.now()
    await readAll(await post(sandbox, greet('messages', 'm', true)))
    expect(performance.now() - before).toBeGreaterThan(100)
  })

  test('a client that leaves during the delay is seen to leave', async () => {
    await using sandbox = await startSandbox()
    const controller = new AbortController()
    const { signal } = controller
    const answer = post(sandbox, greet('messages', 'sandbox/delay=60000'), { signal })
    await vi.waitFor(() => expect(sandbox.requests).toHaveLength(1))
    controller.abort()
    await expect(answer).rejects.toThrow()
    await vi.waitFor(() => expect(sandbox.requests[0]?.finished).toBe('aborted'))
  })
})
