import type { Notes } from '../../../../../src/generate/notes.ts'

const reason = 'only the Responses API may support it'

/** Members of every output item that clients send back; only Codex adds the last one. */
const echoed = [
  'type',
  'id',
  'status',
  'created_by',
  'caller',
  'internal_chat_message_metadata_passthrough',
]

const toolSettings = ['defer_loading', 'allowed_callers', 'async', 'output_schema']

const text = new Set([
  'type',
  'text',
  'annotations',
  'logprobs',
  'parsed',
  'prompt_cache_breakpoint',
])
const image = new Set(['type', 'image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'])

/** Members of a request's objects that the decoder reads, or that come from an earlier reply. */
const kinds = {
  message: new Set([...echoed, 'role', 'content', 'phase']),
  call: new Set([
    ...echoed,
    'call_id',
    'name',
    'namespace',
    'arguments',
    'input',
    'parsed_arguments',
  ]),
  output: new Set([...echoed, 'call_id', 'name', 'namespace', 'output']),
  reasoning: new Set([...echoed, 'summary', 'content', 'encrypted_content']),
  additionalTools: new Set([...echoed, 'role', 'tools']),
  input_text: text,
  output_text: text,
  text,
  summary_text: text,
  reasoning_text: text,
  input_image: image,
  image_url: image,
  input_file: new Set([
    'type',
    'file_url',
    'file_data',
    'file_id',
    'filename',
    'detail',
    'prompt_cache_breakpoint',
  ]),
  input_audio: new Set(['type', 'input_audio', 'data', 'format', 'prompt_cache_breakpoint']),
  refusal: new Set(['type', 'refusal']),
  address: new Set(['url', 'detail']),
  audio: new Set(['data', 'format']),
  answer: new Set(['format', 'verbosity']),
  cacheOptions: new Set(['mode', 'ttl', 'prewarm', 'comparison_response_id']),
  imageOptions: new Set(['context_compression']),
  format: new Set(['type', 'name', 'description', 'schema', 'strict']),
  function: new Set(['type', 'name', 'description', 'parameters', 'strict', ...toolSettings]),
  custom: new Set(['type', 'name', 'description', 'format', ...toolSettings]),
  inputFormat: new Set(['type', 'syntax', 'definition']),
  namespace: new Set(['type', 'name', 'tools', 'description']),
} as const satisfies Record<string, ReadonlySet<string>>

/** The name of an object kind whose members are known. */
export type Kind = keyof typeof kinds

/** Notes the unknown members of an object. */
export function noteMembers(
  kind: Kind,
  json: Readonly<Record<string, unknown>>,
  path: string,
  notes: Notes,
): void {
  notes.unread(json, path, kinds[kind], reason)
}

/** Notes a namespace's description, which is lost because only its name is joined to its tools. */
export function noteNamespace(
  json: Readonly<Record<string, unknown>>,
  path: string,
  notes: Notes,
): void {
  noteMembers('namespace', json, path, notes)
  if (!json.description) return
  const field = `${path}.description`
  notes.unknown(namespaces, 'description', field, 'other APIs have no tool namespaces')
}

const namespaces = {}
