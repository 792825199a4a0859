import { wrong } from '../../../../src/checks.ts'
import type { Effort, Reasoning } from '../../../../src/generate/request.ts'
import { defined } from '../../../../src/generate/defined.ts'
import { budgetFeature } from '../../../../src/generate/effort.ts'
import type { PlaceNotes, Rules } from './notes.ts'
import type { Place } from './place.ts'

const rules: Rules = { thinkingLevel: false, thinkingBudget: false, includeThoughts: false }

const efforts = new Map<string, Effort>([
  ['MINIMAL', 'minimal'],
  ['LOW', 'low'],
  ['MEDIUM', 'medium'],
  ['HIGH', 'high'],
])

/** `thinkingConfig`. A budget of -1 leaves it to the model, as saying nothing does. */
export function readThinking(config: Place, notes: PlaceNotes): Reasoning | undefined {
  const thinking = config.object('thinkingConfig')
  if (!thinking) return undefined
  notes.others(thinking, rules)
  const effort = readLevel(thinking)
  const given = thinking.number('thinkingBudget')
  const budget = given !== undefined && given >= 0 ? given : undefined
  if (effort !== undefined) notes.uses('reasoning_effort', thinking.nameOf('thinkingLevel'))
  if (budget !== undefined)
    notes.uses(budgetFeature(budget, effort), thinking.nameOf('thinkingBudget'))
  const reasoning = defined({ effort, budget, show: thinking.boolean('includeThoughts') })
  if (Object.keys(reasoning).length === 0) return undefined
  notes.sets('reasoning', config.nameOf('thinkingConfig'))
  return reasoning
}

function readLevel(thinking: Place): Effort | undefined {
  const word = thinking.text('thinkingLevel')?.toUpperCase()
  if (word === undefined || word === 'THINKING_LEVEL_UNSPECIFIED') return undefined
  const effort = efforts.get(word)
  if (!effort)
    throw wrong(thinking.nameOf('thinkingLevel'), `one of ${[...efforts.keys()].join(', ')}`)
  return effort
}
