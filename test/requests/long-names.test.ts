import { describeLongNames } from './long-names.ts'

describeLongNames(['messages'])
