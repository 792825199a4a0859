import type { Rule, Rules } from './notes.ts'

const hosted: Rule = ['native', 'only accounts of this dialect run this tool']
const hint: Rule = ['silent', 'a hint for accounts of this dialect']

export const contentRules: Rules = { role: false, parts: false }

/** What stands on a part of a content. */
export const partRules: Rules = {
  text: false,
  inlineData: false,
  fileData: false,
  functionCall: false,
  functionResponse: false,
  thought: false,
  thoughtSignature: false,
  executableCode: hosted,
  codeExecutionResult: hosted,
  toolCall: hosted,
  toolResponse: hosted,
  audioTranscription: hosted,
  videoMetadata: ['warn', 'videos are cut by accounts of this dialect only'],
  mediaResolution: hint,
  mediaProcessing: hint,
  partMetadata: hint,
  speechMetadata: hint,
}

/** Every part is one of these. */
export const partKinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'audioTranscription',
]
