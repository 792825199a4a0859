import { type DialectName, dialectNames } from '../translate/clients/index.ts'
import { exchangeOf, approach } from '../translate/kernel.ts'

type Json = Record<string, unknown>
type Long = (count: number) => Json

const each = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const schema = { type: 'object', properties: { a: { type: 'string' } } }

/** Requests of each dialect that repeat one kind of element. */
const long: Readonly<Record<DialectName, Readonly<Record<string, Long>>>> = {
  chat: {
    users: (n) => ({ messages: each(n, () => ({ role: 'user', content: 'a' })) }),
    systems: (n) => ({
      messages: [
        ...each(n, () => ({ role: 'system', content: 'a' })),
        { role: 'user', content: 'a' },
      ],
    }),
    answers: (n) => ({
      messages: each(n, (at) => ({ role: at % 2 ? 'assistant' : 'user', content: 'a' })),
    }),
    consecutive: (n) => ({
      messages: [
        { role: 'user', content: 'a' },
        ...each(n, () => ({ role: 'assistant', content: 'a' })),
        { role: 'user', content: 'a' },
      ],
    }),
    parts: (n) => ({
      messages: [{ role: 'user', content: each(n, () => ({ type: 'text', text: 'a' })) }],
    }),
    'blanks in a document': (n) => ({
      messages: [
        {
          role: 'user',
          content: [{ type: 'file', file: { file_data: `data:text/plain;base64,${blanks(n)}` } }],
        },
      ],
    }),
    images: (n) => ({
      messages: [
        {
          role: 'user',
          content: each(n, () => ({
            type: 'image_url',
            image_url: { url: 'data:image/png;base64,AAAA' },
          })),
        },
      ],
    }),
    'calls of one id': (n) => calls(n, () => 'c'),
    'calls of many ids': (n) => calls(n, (at) => `c${at}`),
    'rounds of calls': (n) => ({
      messages: [
        { role: 'user', content: 'a' },
        ...each(n, (at) => at).flatMap((at) => [
          {
            role: 'assistant',
            tool_calls: [
              { id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: `c${at}`, content: 'r' },
        ]),
      ],
    }),
    tools: (n) => ({
      messages: [{ role: 'user', content: 'a' }],
      tools: each(n, (at) => ({
        type: 'function',
        function: { name: `f${at}`, parameters: schema },
      })),
    }),
    'allowed tools': (n) => ({
      messages: [{ role: 'user', content: 'a' }],
      tools: each(n, (at) => ({ type: 'function', function: { name: `f${at}` } })),
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'auto',
          tools: each(n, (at) => ({ type: 'function', function: { name: `f${at}` } })),
        },
      },
    }),
    'unknown members': (n) => ({
      messages: each(n, (at) => ({ role: 'user', content: 'a', [`x${at}`]: 1, name: 'n' })),
    }),
    'required members': (n) => ({
      messages: [{ role: 'user', content: 'a' }],
      tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: wide(n) } }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 's', strict: true, schema: wide(n) },
      },
    }),
  },
  responses: {
    users: (n) => ({ input: each(n, () => ({ role: 'user', content: 'a' })) }),
    systems: (n) => ({
      input: [...each(n, () => ({ role: 'system', content: 'a' })), { role: 'user', content: 'a' }],
    }),
    calls: (n) => ({
      input: [
        { role: 'user', content: 'a' },
        ...each(n, (at) => ({
          type: 'function_call',
          call_id: `c${at}`,
          name: 'f',
          arguments: '{}',
        })),
        ...each(n, (at) => ({ type: 'function_call_output', call_id: `c${at}`, output: 'r' })),
      ],
    }),
    'calls of one id': (n) => ({
      input: [
        { role: 'user', content: 'a' },
        ...each(n, () => ({ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' })),
        ...each(n, () => ({ type: 'function_call_output', call_id: 'c', output: 'r' })),
      ],
    }),
    reasoning: (n) => ({
      input: [
        { role: 'user', content: 'a' },
        ...each(n, (at) => ({
          type: 'reasoning',
          id: `rs_${at}`,
          summary: [{ type: 'summary_text', text: 'a' }],
          encrypted_content: 'e',
        })),
        { role: 'user', content: 'a' },
      ],
    }),
    tools: (n) => ({
      input: 'a',
      tools: each(n, (at) => ({
        type: 'function',
        name: `f${at}`,
        parameters: schema,
        strict: true,
      })),
    }),
    'allowed tools': (n) => ({
      input: 'a',
      tools: each(n, (at) => ({ type: 'function', name: `f${at}`, parameters: schema })),
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: each(n, (at) => ({ type: 'function', name: `f${at}` })),
      },
    }),
    'required members': (n) => ({
      input: 'a',
      text: { format: { type: 'json_schema', name: 's', strict: true, schema: wide(n) } },
    }),
  },
  messages: {
    users: (n) => ({ max_tokens: 9, messages: each(n, () => ({ role: 'user', content: 'a' })) }),
    systems: (n) => ({
      max_tokens: 9,
      system: each(n, () => ({ type: 'text', text: 'a' })),
      messages: [{ role: 'user', content: 'a' }],
    }),
    'cached blocks': (n) => ({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: each(n, () => ({
            type: 'text',
            text: 'a',
            cache_control: { type: 'ephemeral' },
          })),
        },
      ],
    }),
    calls: (n) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: each(n, (at) => ({ type: 'tool_use', id: `c${at}`, name: 'f', input: {} })),
        },
        {
          role: 'user',
          content: each(n, (at) => ({ type: 'tool_result', tool_use_id: `c${at}`, content: 'r' })),
        },
      ],
    }),
    'blanks in a document': (n) => ({
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'base64', media_type: 'text/plain', data: blanks(n) },
            },
          ],
        },
      ],
    }),
    thinking: (n) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            ...each(n, () => ({ type: 'thinking', thinking: 'a', signature: 's' })),
            { type: 'text', text: 'a' },
          ],
        },
        { role: 'user', content: 'a' },
      ],
    }),
    stops: (n) => ({
      max_tokens: 9,
      stop_sequences: each(n, (at) => `s${at}`),
      messages: [{ role: 'user', content: 'a' }],
    }),
    tools: (n) => ({
      max_tokens: 9,
      tools: each(n, (at) => ({ name: `f${at}`, input_schema: schema })),
      messages: [{ role: 'user', content: 'a' }],
    }),
  },
  generate: {
    'blanks in a document': (n) => ({
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'text/plain', data: blanks(n) } }] },
      ],
    }),
    'signs in a media type': (n) => ({
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: `application/x${'+'.repeat(10 * n)}\n+`, data: 'AAAA' } },
          ],
        },
      ],
    }),
    'extensions in a URL': (n) => ({
      contents: [
        {
          role: 'user',
          parts: [{ fileData: { fileUri: `https://a.test/${'.a?'.repeat(4 * n)}\n` } }],
        },
      ],
    }),
    users: (n) => ({ contents: each(n, () => ({ role: 'user', parts: [{ text: 'a' }] })) }),
    parts: (n) => ({ contents: [{ role: 'user', parts: each(n, () => ({ text: 'a' })) }] }),
    calls: (n) => generateCalls(n, (at) => ({ id: `c${at}` })),
    'calls without ids': (n) => generateCalls(n, () => ({})),
    'calls answered backwards': (n) => generateCalls(n, (at) => ({ id: `c${at}` }), true),
    tools: (n) => ({
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      tools: [{ functionDeclarations: each(n, (at) => ({ name: `f${at}`, parameters: schema })) }],
    }),
    'allowed tools': (n) => ({
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      tools: [{ functionDeclarations: each(n, (at) => ({ name: `f${at}`, parameters: schema })) }],
      toolConfig: {
        functionCallingConfig: {
          mode: 'ANY',
          allowedFunctionNames: each(n, (at) => `f${n - 1 - at}`),
        },
      },
    }),
    'enum of a schema': (n) => ({
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'STRING', nullable: true, enum: each(n, (at) => `e${at}`) },
      },
    }),
  },
}

/** White space in place of base64, and what ends neither. */
function blanks(count: number): string {
  return `${' '.repeat(10 * count)}!`
}

function wide(count: number): Json {
  const names = each(count, (at) => `p${at}`)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
    additionalProperties: false,
  }
}

function calls(count: number, idOf: (at: number) => string): Json {
  return {
    messages: [
      { role: 'user', content: 'a' },
      {
        role: 'assistant',
        tool_calls: each(count, (at) => ({
          id: idOf(at),
          type: 'function',
          function: { name: 'f', arguments: '{}' },
        })),
      },
      ...each(count, (at) => ({ role: 'tool', tool_call_id: idOf(at), content: 'r' })),
    ],
  }
}

function generateCalls(count: number, idOf: (at: number) => Json, isReversed = false): Json {
  const responses = each(count, (at) => ({
    functionResponse: { name: `f${at}`, response: {}, ...idOf(at) },
  }))
  return {
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: each(count, (at) => ({ functionCall: { name: `f${at}`, args: {}, ...idOf(at) } })),
      },
      { role: 'user', parts: isReversed ? responses.toReversed() : responses },
    ],
  }
}

/** Elements of the shorter request; the longer one has four times as many. */
const shorter = 4_000

/** The times of a translation. */
export interface Growth {
  readonly name: string
  /** Milliseconds of processor time for the shorter and the longer request. */
  readonly times: readonly [number, number]
}

/** Translates requests of growing length between all dialects. Returns the time of each. */
export async function measureGrowth(): Promise<readonly Growth[]> {
  const growths: Growth[] = []
  for (const client of dialectNames) {
    for (const account of dialectNames.filter((name) => name !== client)) {
      for (const [name, make] of Object.entries(long[client])) {
        const timesOf = async () =>
          [
            await timeOf(client, account, make(shorter)),
            await timeOf(client, account, make(4 * shorter)),
          ] as const
        let times = await timesOf()
        // A collection of the garbage of earlier ones may count in one of them.
        for (let tries = 1; tries < 3 && !isLinear(times); tries++) times = await timesOf()
        growths.push({ name: `${client} to ${account}: ${name}`, times })
      }
    }
  }
  return growths
}

/** Whether the time grows little faster than the request. */
export function isLinear([short, long]: Growth['times']): boolean {
  return long < 200 || long < 8 * short
}

async function timeOf(client: DialectName, account: DialectName, question: Json): Promise<number> {
  const exchange = exchangeOf({ client, account, stream: false, body: question })
  const before = process.cpuUsage()
  try {
    await approach(exchange)
  } catch {
    // A request that is refused also takes time.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
