/** Dates of the Gregorian calendar in whole days since 1970: ten times as fast as Date, which matters for windows of millennia. */

const CYCLE_YEARS = 400;
const CYCLE_DAYS = 146_097;
/** From 1 March of the year 0 to 1970. */
const EPOCH_DAYS = 719_468;

export interface CalendarDate {
  readonly year: number;
  /** 0 is January. */
  readonly month: number;
  /** From 1. */
  readonly ofMonth: number;
}

// Years are counted from March here, so that a leap day is the last day of its year.

/** The day of a date. `month`: 0 to 11. */
export function dayOf(year: number, month: number, ofMonth: number): number {
  const fromMarch = month < 2 ? year - 1 : year;
  const cycle = Math.floor(fromMarch / CYCLE_YEARS);
  const ofCycle = fromMarch - cycle * CYCLE_YEARS;
  const ofYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + ofMonth - 1;
  const leapDays = Math.floor(ofCycle / 4) - Math.floor(ofCycle / 100);
  return cycle * CYCLE_DAYS + ofCycle * 365 + leapDays + ofYear - EPOCH_DAYS;
}

export function dateOf(day: number): CalendarDate {
  const shifted = day + EPOCH_DAYS;
  const cycle = Math.floor(shifted / CYCLE_DAYS);
  const ofCycle = shifted - cycle * CYCLE_DAYS;
  const leapDays = Math.floor(ofCycle / 1460) - Math.floor(ofCycle / 36_524) + Math.floor(ofCycle / 146_096);
  const yearOfCycle = Math.floor((ofCycle - leapDays) / 365);
  const ofYear = ofCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100));
  const monthFromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = (monthFromMarch + 2) % 12;
  const ofMonth = ofYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  return { year: yearOfCycle + cycle * CYCLE_YEARS + (month < 2 ? 1 : 0), month, ofMonth };
}
