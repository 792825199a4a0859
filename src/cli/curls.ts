interface Example {
  title: string
  path: string
  headers: string[]
  body: Record<string, unknown>
  /** Of the same request, streamed. Absent: as the plain one. */
  streamPath?: string
  streamBody?: Record<string, unknown>
}

const model = 'sandbox/echo'
const messages = [{ role: 'user', content: 'Hello' }]

/** One command for each dialect, plain and streamed, to be pasted into a shell. */
export function curls(url: string, key: string): string[] {
  return examples(key).flatMap((example) => [
    `# ${example.title}`,
    curl('curl', url + example.path, example.headers, example.body),
    curl(
      'curl -N',
      url + (example.streamPath ?? example.path),
      example.headers,
      example.streamBody ?? example.body,
    ),
    '',
  ])
}

function examples(key: string): Example[] {
  const bearer = [`authorization: Bearer ${key}`]
  const response = { model, input: 'Hello' }
  const chat = { model, messages }
  const message = { model, max_tokens: 256, messages }
  const models = `/v1beta/models/${model}`
  return [
    {
      title: 'Responses',
      path: '/v1/responses',
      headers: bearer,
      body: response,
      streamBody: { ...response, stream: true },
    },
    {
      title: 'Chat Completions',
      path: '/v1/chat/completions',
      headers: bearer,
      body: chat,
      streamBody: { ...chat, stream: true },
    },
    {
      title: 'Messages',
      path: '/v1/messages',
      headers: [`x-api-key: ${key}`, 'anthropic-version: 2023-06-01'],
      body: message,
      streamBody: { ...message, stream: true },
    },
    {
      title: 'generateContent',
      path: `${models}:generateContent`,
      headers: [`x-goog-api-key: ${key}`],
      body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      streamPath: `${models}:streamGenerateContent?alt=sse`,
    },
  ]
}

function curl(command: string, url: string, headers: readonly string[], body: object): string {
  // Double quotes, so that the shell fills in $DRAGOMAN_KEY.
  const given = ['content-type: application/json', ...headers].map((header) => `-H "${header}"`)
  return `${command} '${url}' ${given.join(' ')} \\\n  -d '${JSON.stringify(body)}'`
}
