import { describeLongNames } from './long-names.ts'

describeLongNames(['responses', 'chat', 'generate'])
