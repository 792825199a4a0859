import {
  joinTurns,
  type Received,
  type ReceivedFile,
  type ReceivedTurn,
  turnOf,
} from './received.ts'

/** A block has one of these members. */
interface Block {
  readonly text?: string
  readonly image?: Medium
  readonly document?: Medium
  readonly toolUse?: { readonly toolUseId: string; readonly name: string; readonly input: object }
  readonly toolResult?: { readonly toolUseId: string; readonly content: readonly Block[] }
  readonly reasoningContent?: { readonly reasoningText?: { readonly signature?: string } }
}

interface Medium {
  readonly format: string
  readonly source: { readonly bytes: string }
}

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** The members that the matrix looks at. */
interface Request {
  readonly messages: readonly Message[]
  readonly system?: readonly Block[]
  readonly inferenceConfig?: { readonly maxTokens?: number; readonly stopSequences?: string[] }
  readonly toolConfig?: {
    readonly tools: readonly { readonly toolSpec: ToolSpec }[]
    readonly toolChoice?: { readonly tool?: { readonly name: string } }
  }
  readonly additionalModelRequestFields?: { readonly thinking?: { readonly type: string } }
  readonly outputConfig?: {
    readonly textFormat?: {
      readonly structure: { readonly jsonSchema: { readonly schema: string } }
    }
  }
}

interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly json: Record<string, unknown> }
}

export function readConverseRequest(request: Request, url: string): Received {
  const { system = [], messages, inferenceConfig = {}, toolConfig } = request
  const format = request.outputConfig?.textFormat
  const thinking = request.additionalModelRequestFields?.thinking?.type
  return {
    system: textOf(system),
    turns: joinTurns(messages.map(readMessage)),
    tools: (toolConfig?.tools ?? []).map(({ toolSpec: { name, description, inputSchema } }) => ({
      name,
      description,
      parameters: inputSchema.json,
    })),
    forced: toolConfig?.toolChoice?.tool?.name,
    schema: format && (JSON.parse(format.structure.jsonSchema.schema) as Received['schema']),
    reasoning: thinking === 'enabled' || thinking === 'adaptive',
    search: false,
    stop: inferenceConfig.stopSequences ?? [],
    maxTokens: inferenceConfig.maxTokens,
    stream: url.endsWith('/converse-stream'),
  }
}

function readMessage({ role, content }: Message): ReceivedTurn {
  return {
    ...turnOf({ role, text: textOf(content) }),
    files: content.flatMap(readFile),
    calls: content.flatMap(({ toolUse }) => {
      return toolUse ? [{ id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input }] : []
    }),
    results: content.flatMap(({ toolResult }) => {
      return toolResult ? [{ id: toolResult.toolUseId, text: textOf(toolResult.content) }] : []
    }),
    signatures: content.flatMap(
      ({ reasoningContent }) => reasoningContent?.reasoningText?.signature ?? [],
    ),
  }
}

function readFile({ image, document }: Block): ReceivedFile[] {
  if (image) return [fileOf('image', 'image', image)]
  return document ? [fileOf('document', 'application', document)] : []
}

function fileOf(kind: ReceivedFile['kind'], family: string, { format, source }: Medium) {
  return { kind, type: `${family}/${format}`, data: source.bytes }
}

function textOf(content: readonly Block[]): string {
  return content.map(({ text = '' }) => text).join('')
}
