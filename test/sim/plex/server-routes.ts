import { document, refusal } from './answer';
import { element } from './element';
import { param } from './query';
import { container, sectionElement } from './render';
import type { Route } from './world';

const machineIdentifier = '4a1b5e0c9d3f27a86b40e1d2c3f4a5b6978c0d1e';
const version = '1.43.1.10611-1e34174b1';

/** Needs no token, so it says nothing about the token either. */
export const identity: Route = {
  kind: 'identity',
  access: 'anyone',
  answer: ({ json }) => {
    const attributes = { claimed: true, machineIdentifier, version };
    return document(container({ size: 0, ...attributes }), json);
  },
};

export const capabilities: Route = {
  kind: 'capabilities',
  access: 'user',
  answer: ({ json }) =>
    document(
      container({
        size: 0,
        allowMediaDeletion: true,
        allowSharing: true,
        allowSync: true,
        apiVersion: '1.2.0',
        certificate: true,
        eventStream: true,
        friendlyName: 'Simulated Plex',
        hubSearch: true,
        machineIdentifier,
        multiuser: true,
        myPlex: true,
        myPlexMappingState: 'mapped',
        myPlexSigninState: 'ok',
        myPlexSubscription: true,
        myPlexUsername: 'owner@example.org',
        platform: 'Linux',
        platformVersion: '6.17.0',
        pushNotifications: false,
        readOnlyLibraries: false,
        transcoderActiveVideoSessions: 0,
        updatedAt: 1778018578,
        updater: true,
        version,
      }),
      json,
    ),
};

export const library: Route = {
  kind: 'library',
  access: 'admin',
  answer: ({ json }) =>
    document(
      container(
        {
          allowSync: false,
          content: '',
          identifier: 'com.plexapp.plugins.library',
          title1: 'Plex Library',
          title2: '',
        },
        [
          element('Directory', { key: 'sections', title: 'Library Sections' }),
          element('Directory', { key: 'recentlyAdded', title: 'Recently Added Content' }),
          element('Directory', { key: 'onDeck', title: 'On Deck Content' }),
        ],
      ),
      json,
    ),
};

export const sections: Route = {
  kind: 'sections',
  access: 'user',
  answer: ({ json }, { catalogue }) =>
    document(
      container({ allowSync: false, title1: 'Plex Library' }, catalogue.sections.map(sectionElement)),
      json,
    ),
};

export const activities: Route = {
  kind: 'activities',
  access: 'user',
  answer: ({ json }, { scanner }) => {
    const running = [...scanner.running].map(({ uuid, title, subtitle, progress, sectionKey }) =>
      element(
        'Activity',
        { uuid, type: 'library.update.section', cancellable: false, userID: 1, title, subtitle, progress },
        [element('Context', { librarySectionID: String(sectionKey) })],
      ),
    );
    return document(container({}, running), json);
  },
};

export const eventStream: Route = {
  kind: 'events',
  access: 'user',
  answer: () => refusal(500),
  stream: ({ query }, { events }, response) => {
    const filters = param(query, 'filters');
    events.listen(response, filters ? new Set(filters.split(',')) : null);
  },
};

export const unknown: Route = { kind: 'unknown', access: 'user', answer: () => refusal(404) };
