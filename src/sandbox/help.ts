import { servers } from './presets/quirks.ts'
import { directiveTable } from './steering/directives.ts'

/** The text of `GET /`. */
export function helpText(): string {
  const width = Math.max(...Object.keys(directiveTable).map((name) => name.length)) + 2
  const directives = Object.entries(directiveTable).map(
    ([name, { kind, help }]) => `  ${name.padEnd(width)}${kindMarks[kind].padEnd(9)}${help}`,
  )
  return [introduction, ...directives, ''].join('\n')
}

const kindMarks = {
  flag: '',
  count: '=N',
  status: '=NNN',
  text: '=text',
  'optional-text': '[=text]',
}

/** Below their names, three in a line. */
function listOfServers(): string {
  const paths = Object.entries(servers).map(([name, { chat }]) => `/${name}${chat}`.padEnd(32))
  const rows = Array.from({ length: Math.ceil(paths.length / 3) }, (_, row) =>
    paths.slice(row * 3, row * 3 + 3).join(''),
  )
  return rows.map((row) => `  ${row.trimEnd()}`).join('\n')
}

const introduction = `This is the sandbox: an offline stand-in for the model providers.

It serves the paths of four providers and validates requests as strictly as they do:

  /v1/responses, /v1/chat/completions, /v1/models     Authorization: Bearer KEY
  /v1/responses (WebSocket)                           the same; each response.create is a POST of its own
  /v1/responses/..., /v1/conversations/...            the same; stored per account
  /v1/completions, /v1/embeddings, /v1/moderations    the same
  /v1/rerank, /v2/rerank, /rerank                     the same, as of Cohere
  /v1/images/edits, /v1/images/generations            the same
  /v1/audio/speech, /v1/audio/transcriptions, ...     the same
  /v1/realtime (WebSocket), /v1/realtime/client_secrets   the same
  /v1/videos, /v1/videos/...                          the same; stored per account
  /v1/files, /v1/uploads, /v1/batches                 the same; stored per account
  /v1/messages, /v1/messages/count_tokens             x-api-key: KEY, or Bearer
  /v1/messages/batches, /v1/messages/batches/...      the same; stored per account
  /v1/files, with anthropic-version                   the same; stored per account
  /v1beta/models/MODEL:generateContent, ...           x-goog-api-key: KEY, or ?key=KEY
  /v1beta/models/MODEL:embedContent, ...              the same; Google Cloud's paths and :predict too
  /v1beta/models/MODEL:predictLongRunning             the same; Google Cloud's paths too
  /v1beta/cachedContents, /v1beta/cachedContents/ID   the same; stored per account
  /v1beta/.../operations/ID, /v1beta/files/ID         the same; stored per account
  /model/MODEL/converse, /converse-stream, ...        Authorization: Bearer KEY, or signed by AWS
  /model/MODEL/invoke, ...                            the same, for Claude

and those of clouds, with the tokens that they want:

  /openai/v1/..., /openai/deployments/NAME/...        api-key: KEY, or a token of Entra
  /anthropic/v1/messages                              x-api-key: KEY, or a token of Entra
  /v1/projects/P/locations/L/publishers/..., .../endpoints/openapi/...
                                                      a token of a service account
  /openai/v1/..., /anthropic/v1/messages              signed by AWS, as at Bedrock
  /TENANT/oauth2/v2.0/token                           the secret of the application is KEY
  /google/service-account/ACCOUNT.json                a service account for googleAuth

and those of servers with APIs like OpenAI's, as strict as they are, at these base URLs:

${listOfServers()}

Every model name works, and the reply repeats the last user text. To get another reply, write
directives into the model name, joined with a plus sign:

  sandbox/text=hello          sandbox/tool+tools=2          sandbox/words=50+pace=100+cut=10

or into the header x-sandbox, which wins over the model name:

  x-sandbox: status=429; retry-after=2; only=a

A background response is queued until its first status request; a streamed one starts at once.
It takes as long as its stream would: with \`pace\`, its progress can be watched.

A video is queued until its first status request, then in progress, then finished: after the
number of status requests in \`polls\`, or after the time in \`takes\`. Directives of the request
that creates a video apply until it ends; those of a later request apply to that request only.

A batch of files is checked at once, in progress at its first status request and completed at the
next one; the requests of its lines are served as by their endpoints.

Values are percent-decoded. The directives are:
`
