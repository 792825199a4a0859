import { formatFrame, type JsonObject } from '../../../../src/dialect-kit/index.ts'
import { type Answer, answerJson, answerStream } from '../../../../src/testing/index.ts'

/** Members of a request, and of a line by whom it is. */
const members = ['voice', 'words', 'loud', 'pitch', 'limit', 'helpers', 'call']
const lines: Readonly<Record<string, readonly string[]>> = {
  prompter: ['by', 'words'],
  crowd: ['by', 'words'],
  voice: ['by', 'words', 'calls'],
  helper: ['by', 'words', 'call', 'failed'],
}

interface Line {
  readonly by: string
  readonly words: string
}

interface Asked {
  readonly words: string | readonly Line[]
  readonly loud?: boolean
  readonly helpers?: readonly { readonly name: string }[]
  readonly call?: string
}

/**
 * An account that calls its first helper and then says louder what the last line says. It refuses
 * every member that the dialect does not have.
 */
export const strictAccount: Answer = (response, request) => {
  const body = JSON.parse(request.body.toString()) as Asked
  const fault = faultIn(body)
  if (fault !== undefined) {
    const refusal = { oops: `Nothing is called ${fault}.`, number: 400 }
    return answerJson(refusal, { status: 400 })(response, request)
  }
  const reply = replyTo(body)
  const answer = body.loud ? answerStream(framesOf(reply)) : answerJson(reply)
  return answer(response, request)
}

function faultIn(body: Asked): string | undefined {
  const said = typeof body.words === 'string' ? [] : body.words
  const wrong = said.flatMap((line) => unknownIn(line, lines[line.by] ?? []))
  return [...unknownIn(body, members), ...wrong][0]
}

function unknownIn(object: object, known: readonly string[]): string[] {
  return Object.keys(object).filter((name) => !known.includes(name))
}

interface Reply {
  readonly id: string
  readonly voice: string
  readonly echo: string
  readonly calls?: readonly JsonObject[]
  readonly end: string
  readonly tally: object
}

function replyTo({ words, helpers = [], call }: Asked): Reply {
  const last = typeof words === 'string' ? { by: 'crowd', words } : words.at(-1)
  const head = { id: 'shout_1', voice: 'stentor' }
  const tally = { heard: 3, said: 2 }
  const [helper] = helpers
  if (helper && call !== 'never' && last?.by !== 'helper') {
    const calls = [{ id: 'call_1', helper: helper.name, with: { place: 'Rome' } }]
    return { ...head, echo: '', calls, end: 'calls', tally }
  }
  return { ...head, echo: last?.words.toUpperCase() ?? '', end: 'done', tally }
}

/** The frames of a stream that says the same. */
function framesOf(reply: Reply): string[] {
  const { echo, calls = [], ...hush } = reply
  const words = echo.match(/\s*\S+/g) ?? []
  return [
    formatFrame('breath', { id: hush.id, voice: hush.voice }),
    ...words.map((word) => formatFrame('word', { word })),
    ...calls.map((call) => formatFrame('call', call)),
    formatFrame('hush', hush),
  ]
}
