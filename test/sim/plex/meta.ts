import { type Element, element } from './element';

/** What `includeMeta=1` adds: which fields can be filtered and sorted. python-plexapi asks before its first search. */
export function metaElement(sectionKey: number, type: string): Element {
  return element('Meta', {}, [typeElement(sectionKey, type), ...fieldTypes]);
}

function typeElement(sectionKey: number, type: string): Element {
  const title = `${type[0]?.toUpperCase()}${type.slice(1)}s`;
  return element('Type', { key: `/library/sections/${sectionKey}/all`, type, title, active: true }, [
    ...sorts.map(([key, name, direction]) =>
      element('Sort', { defaultDirection: direction, descKey: `${key}:desc`, key, title: name }),
    ),
    ...fields.map(([key, name, kind]) => element('Field', { key, title: name, type: kind })),
  ]);
}

const sorts = [
  ['titleSort', 'Title', 'asc'],
  ['year', 'Year', 'desc'],
  ['originallyAvailableAt', 'Release Date', 'desc'],
  ['rating', 'Critic Rating', 'desc'],
  ['audienceRating', 'Audience Rating', 'desc'],
  ['userRating', 'Rating', 'desc'],
  ['duration', 'Duration', 'desc'],
  ['addedAt', 'Date Added', 'desc'],
] as const;

const fields = [
  ['title', 'Title', 'string'],
  ['studio', 'Studio', 'string'],
  ['addedAt', 'Date Added', 'date'],
] as const;

const fieldTypes = [
  element('FieldType', { type: 'string' }, [
    element('Operator', { key: '=', title: 'contains' }),
    element('Operator', { key: '!=', title: 'does not contain' }),
    element('Operator', { key: '==', title: 'is' }),
    element('Operator', { key: '!==', title: 'is not' }),
    element('Operator', { key: '<=', title: 'begins with' }),
    element('Operator', { key: '>=', title: 'ends with' }),
  ]),
  element('FieldType', { type: 'integer' }, [
    element('Operator', { key: '=', title: 'is' }),
    element('Operator', { key: '!=', title: 'is not' }),
    element('Operator', { key: '>>=', title: 'is greater than' }),
    element('Operator', { key: '<<=', title: 'is less than' }),
  ]),
  element('FieldType', { type: 'date' }, [
    element('Operator', { key: '<<=', title: 'is before' }),
    element('Operator', { key: '>>=', title: 'is after' }),
  ]),
];
