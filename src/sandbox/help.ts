import { directiveTable } from './steering/directives.ts'

/** What `GET /` shows. */
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

const introduction = `This is the sandbox. It stands in for the model providers, offline.

It answers the paths of three providers, and is as strict as they are:

  /v1/responses, /v1/chat/completions, /v1/models     Authorization: Bearer KEY
  /v1/responses/..., /v1/conversations/...            the same; each account has its own
  /v1/images/edits, /v1/images/generations            the same
  /v1/videos, /v1/videos/...                          the same; each account has its own
  /v1/messages, /v1/messages/count_tokens             x-api-key: KEY, or Bearer
  /v1beta/models/MODEL:generateContent and its kin    x-goog-api-key: KEY, or ?key=KEY
  /v1beta/models/MODEL:predictLongRunning             the same; also as the cloud writes it
  /v1beta/.../operations/ID, /v1beta/files/ID         the same; each account has its own

Every model name works and repeats what you say. To get something else, write directives into
the model name, joined with a plus sign:

  sandbox/text=hello          sandbox/tool+tools=2          sandbox/words=50+pace=100+cut=10

or into the header x-sandbox, which wins over the model name:

  x-sandbox: status=429; retry-after=2; only=a

Work in the background is queued until it is first asked after, or begins at once when it is
streamed. It then takes the time that its stream would: with a pace, it can be watched.

A video is queued until its status is first asked for, then in progress, then finished: after
as many questions as \`polls\` says, or when the time is up that it \`takes\`. The directives for
videos hold from its order to its end; those in the header of a later request hold for that one.

Values are percent-decoded. The directives are:
`
