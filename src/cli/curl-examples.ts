interface Example {
  title: string
  path: string
  headers: string[]
  body: Record<string, unknown>
  /** The differences of the streamed request. */
  streamed?: { path?: string; body?: Record<string, unknown> }
  /** Whether the reply is too long for a terminal. */
  isLong?: true
}

const model = 'sandbox/echo'
const messages = [{ role: 'user', content: 'Hello' }]

/**
 * Shell commands with one example for each dialect, and its streamed form where the dialect streams
 * text. `url` is the gateway's, `key` the API key or a shell variable.
 */
export function curlExamples(url: string, key: string): string[] {
  return [...textExamples(key), ...mediaExamples(key)].flatMap((example) => {
    const { title, path, headers, body, streamed, isLong } = example
    const plain = curl(isLong ? 'curl -s' : 'curl', url + path, headers, body)
    return [
      `# ${title}`,
      isLong ? `${plain} | head -c 300; echo` : plain,
      ...(streamed
        ? [curl('curl -N', url + (streamed.path ?? path), headers, streamed.body ?? body)]
        : []),
      '',
    ]
  })
}

function textExamples(key: string): Example[] {
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
      streamed: { body: { ...response, stream: true } },
    },
    {
      title: 'Chat Completions',
      path: '/v1/chat/completions',
      headers: bearer,
      body: chat,
      streamed: { body: { ...chat, stream: true } },
    },
    {
      title: 'Messages',
      path: '/v1/messages',
      headers: [`x-api-key: ${key}`, 'anthropic-version: 2023-06-01'],
      body: message,
      streamed: { body: { ...message, stream: true } },
    },
    {
      title: 'generateContent',
      path: `${models}:generateContent`,
      headers: [`x-goog-api-key: ${key}`],
      body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
      streamed: { path: `${models}:streamGenerateContent?alt=sse` },
    },
  ]
}

function mediaExamples(key: string): Example[] {
  const headers = [`authorization: Bearer ${key}`]
  const prompt = 'Hello'
  return [
    {
      title: 'Images',
      path: '/v1/images/generations',
      headers,
      body: { model, prompt },
      isLong: true,
    },
    { title: 'Videos', path: '/v1/videos', headers, body: { model, prompt } },
    {
      title: 'predictLongRunning',
      path: `/v1beta/models/${model}:predictLongRunning`,
      headers: [`x-goog-api-key: ${key}`],
      body: { instances: [{ prompt }] },
    },
    { title: 'Uploads', path: '/v1/files/upload_url', headers, body: { path: 'hello.txt' } },
  ]
}

function curl(command: string, url: string, headers: readonly string[], body: object): string {
  // Double quotes let the shell expand $DRAGOMAN_KEY.
  const options = ['content-type: application/json', ...headers].map((header) => `-H "${header}"`)
  return `${command} '${url}' ${options.join(' ')} \\\n  -d '${JSON.stringify(body)}'`
}
