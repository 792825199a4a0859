import type { Rule, Rules } from './notes.ts'

const hosted: Rule = ['native', 'only the Gemini API runs this tool']
const hint: Rule = ['silent', 'a hint for the Gemini API']

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
  videoMetadata: ['warn', 'only the Gemini API cuts videos'],
  mediaResolution: ['warn', 'only the Gemini API is told how closely to look at media'],
  mediaProcessing: hint,
  partMetadata: hint,
  speechMetadata: hint,
}

/** What stands in a call that the model made. */
export const callRules: Rules = { id: false, name: false, args: false }

/** What stands on a part of a tool's response. */
export const responsePartRules: Rules = { inlineData: false, fileData: false }

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
